// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import { ERC20 } from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import { Address } from "@openzeppelin/contracts/utils/Address.sol";

/// @title A token that misbehaves on demand
/// @notice For tests; anybody may mint and set it. Honest until told otherwise, then hostile to one account as sender or
/// receiver, or to everybody (`target` zero).
contract HostileToken is ERC20 {
    enum Behaviour {
        Honest,
        TakeFeeFromReceiver, // as Tether can: the receiver gets 1 % less
        TakeFeeFromSender, // the sender loses 1 % more
        Block, // as a compliance list does
        ReturnFalse, // moves nothing and says so, without a revert
        PretendSuccess, // moves nothing and says that it did
        BurnGas, // never ends
        BeDear, // takes 800,000 gas to do what it should
        ReturnBomb, // moves the money, then answers with 128 kB
        RevertBomb, // reverts with 128 kB
        RevertWith, // reverts with `payload`: a forged reason
        CallBack, // calls `payload` on `callee` before it moves the money: re-entry
        LieAboutBalance // `balanceOf` reverts
    }

    Behaviour public behaviour;
    address public target;
    address public callee;
    bytes public payload;

    constructor() ERC20("Hostile", "EVIL") { }

    function mint(address to, uint256 value) external {
        _mint(to, value);
    }

    /// @dev `burn` makes it fit to stand where BTN stands.
    function burn(uint256 value) external {
        if (!_misbehaves(msg.sender, address(0))) _burn(msg.sender, value);
    }

    function behave(Behaviour behaviour_, address target_) external {
        behave(behaviour_, target_, address(0), "");
    }

    function behave(Behaviour behaviour_, address target_, address callee_, bytes memory payload_) public {
        behaviour = behaviour_;
        target = target_;
        callee = callee_;
        payload = payload_;
    }

    function balanceOf(address holder) public view override returns (uint256) {
        require(behaviour != Behaviour.LieAboutBalance || !_isTarget(holder));
        return super.balanceOf(holder);
    }

    function transfer(address to, uint256 value) public override returns (bool) {
        if (_misbehaves(msg.sender, to)) return _end();
        bool done = super.transfer(to, value);
        _bomb(msg.sender, to);
        return done;
    }

    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        if (_misbehaves(from, to)) return _end();
        bool done = super.transferFrom(from, to, value);
        _bomb(from, to);
        return done;
    }

    /// @dev Whether the call is to end here, with nothing moved.
    function _misbehaves(address from, address to) private returns (bool) {
        if (!_isTarget(from) && !_isTarget(to)) return false;
        require(behaviour != Behaviour.Block, "blocked");
        if (behaviour == Behaviour.BurnGas) while (true) { }
        if (behaviour == Behaviour.BeDear) _burnGas(800_000);
        if (behaviour == Behaviour.RevertBomb) _explode(false);
        if (behaviour == Behaviour.RevertWith) _revertWith(payload);
        if (behaviour == Behaviour.CallBack) Address.functionCall(callee, payload);
        return behaviour == Behaviour.ReturnFalse || behaviour == Behaviour.PretendSuccess;
    }

    function _end() private view returns (bool) {
        return behaviour == Behaviour.PretendSuccess;
    }

    function _bomb(address from, address to) private view {
        if (behaviour == Behaviour.ReturnBomb && (_isTarget(from) || _isTarget(to))) _explode(true);
    }

    function _update(address from, address to, uint256 value) internal override {
        super._update(from, to, value);
        if (from == address(0) || !(_isTarget(from) || _isTarget(to))) return;
        if (behaviour == Behaviour.TakeFeeFromReceiver) super._update(to, address(0xfee), value / 100);
        if (behaviour == Behaviour.TakeFeeFromSender) super._update(from, address(0xfee), value / 100);
    }

    function _isTarget(address account) private view returns (bool) {
        return behaviour != Behaviour.Honest && (target == address(0) || target == account);
    }

    function _burnGas(uint256 amount) private view {
        uint256 end = gasleft() - amount;
        while (gasleft() > end) { }
    }

    /// @dev A larger one would run out of gas instead of going off.
    function _explode(bool success) private pure {
        assembly {
            mstore(0, 1)
            if success { return(0, 0x20000) }
            revert(0, 0x20000)
        }
    }

    function _revertWith(bytes memory data) private pure {
        assembly {
            revert(add(data, 0x20), mload(data))
        }
    }
}
