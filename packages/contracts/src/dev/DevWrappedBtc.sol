// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import { ERC20 } from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title A wrapped bitcoin with 8 decimals
/// @notice For development and tests; anybody may mint. A plain ERC-20 without permit, as the common one is.
contract DevWrappedBtc is ERC20 {
    /// @notice As a compliance list: transfers to these accounts revert.
    mapping(address => bool) public isRefused;

    error Refused(address receiver);

    constructor() ERC20("Wrapped BTC (development)", "BTC") { }

    function mint(address to, uint256 value) external {
        _mint(to, value);
    }

    function setRefused(address receiver, bool refused) external {
        isRefused[receiver] = refused;
    }

    function decimals() public pure override returns (uint8) {
        return 8;
    }

    function _update(address from, address to, uint256 value) internal override {
        require(!isRefused[to], Refused(to));
        super._update(from, to, value);
    }
}
