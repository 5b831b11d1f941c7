// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

/// @title USDT as it is on mainnet, oddities and all
/// @notice For development and tests; anybody may mint. As the real one: `transfer`, `transferFrom` and `approve` return
/// nothing; `approve` refuses to change one allowance into another (reset it to zero first); a transfer to the zero
/// address goes through; there is no permit. Its owner's powers (fee, blocking, pausing) are in `HostileToken`.
/// @dev Written out because an ERC20 that inherits from OpenZeppelin's cannot stop returning `bool`.
contract DevUsdt {
    string public constant name = "Tether USD (development)";
    string public constant symbol = "USDT";
    uint8 public constant decimals = 6;

    uint256 public totalSupply;
    mapping(address holder => uint256) public balanceOf;
    mapping(address holder => mapping(address spender => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    function mint(address to, uint256 value) external {
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function transfer(address to, uint256 value) external {
        _transfer(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - value;
        _transfer(from, to, value);
    }

    function approve(address spender, uint256 value) external {
        require(value == 0 || allowance[msg.sender][spender] == 0);
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
    }

    function _transfer(address from, address to, uint256 value) private {
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}
