// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import { PoolVault } from "../../src/PoolVault.sol";
import { bound, vm } from "./Vm.sol";

/// @title A thief of the administrator's key, in any order that the fuzzer chooses, against one guardian
/// @notice The thief announces, pads, accepts, grants, dismisses, pays and burns. The signer goes on paying members. The
/// guardian looks once a day and makes one call; the second guardian sleeps.
contract HostileAdministrator {
    PoolVault public immutable vault;
    address public immutable thief;
    address private immutable administrator;
    address private immutable guardian;
    address private immutable secondGuardian;
    address private immutable payer;
    address private immutable member;

    /// @dev A vault of the thief's, which says that it follows this one.
    address private immutable falseSuccessor;

    uint256 public nextLook;
    bool public isGuardianAsleep;
    uint256 private _nonce;

    /// @notice What the signer paid to the member, from the vault's answers.
    mapping(address token => uint256) public paid;

    constructor(PoolVault vault_, PoolVault falseSuccessor_, address[6] memory people) {
        vault = vault_;
        falseSuccessor = address(falseSuccessor_);
        (administrator, guardian, secondGuardian, payer, member, thief) =
        (people[0], people[1], people[2], people[3], people[4], people[5]);
        nextLook = block.timestamp + 1 days;
    }

    function letTheGuardianSleep() external {
        isGuardianAsleep = true;
    }

    // ─── The thief ──────────────────────────────────────────────────────────────────────────────────────────────────

    function announce(uint256 which, uint256 seed, uint8 padding) external {
        _as(administrator, abi.encodeCall(vault.announce, (_padded(_act(which, seed), padding))));
    }

    function announceEverything(uint256 seed) external {
        for (uint256 which = 0; which < ACTS; ++which) {
            _as(administrator, abi.encodeCall(vault.announce, (_act(which, seed))));
        }
    }

    function act(uint256 which, uint256 seed, uint8 padding) external {
        _as(vault.administrator(), _padded(_act(which, seed), padding));
    }

    function actOnEverything(uint256 seed) external {
        for (uint256 which = 0; which < ACTS; ++which) {
            _as(vault.administrator(), _act(which, seed));
        }
    }

    function accept(uint256 role) external {
        _as(thief, abi.encodeCall(vault.acceptRole, (_role(role))));
    }

    function payOneself(uint256 which, uint256 amount, bool asAdministrator) external {
        PoolVault.Payout[] memory payouts = new PoolVault.Payout[](1);
        payouts[0] = PoolVault.Payout(bytes32(++_nonce), _token(which), thief, bound(amount, 1, 1000));
        _as(asAdministrator ? administrator : thief, abi.encodeCall(vault.release, (payouts)));
        _as(asAdministrator ? administrator : thief, abi.encodeCall(vault.burn, (1, bytes32(_nonce))));
    }

    /// @dev Needs a role that only a guardian has.
    function playGuardian(bool asAdministrator) external {
        address caller = asAdministrator ? administrator : thief;
        _as(caller, abi.encodeCall(vault.agreeToDismissal, (guardian)));
        _as(caller, abi.encodeCall(vault.unpause, ()));
    }

    /// @dev What the administrator may do at once. It stops payouts, but takes nothing.
    function stopPayouts(uint8 dice) external {
        if (dice % 8 == 0) _as(administrator, abi.encodeCall(vault.revokeRole, (vault.PAYER_ROLE(), payer)));
        if (dice % 8 == 1) _as(administrator, abi.encodeCall(vault.setPayoutCap, (_token(dice), dice)));
        if (dice % 8 == 2) _as(administrator, abi.encodeCall(vault.setQuoteSigner, (thief)));
    }

    // ─── The others ─────────────────────────────────────────────────────────────────────────────────────────────────

    function payAMember(uint256 which, uint256 amount) external {
        PoolVault.Payout[] memory payouts = new PoolVault.Payout[](1);
        payouts[0] = PoolVault.Payout(bytes32(++_nonce), _token(which), member, bound(amount, 1, 1000));
        (, uint256 room) = vault.payoutCap(payouts[0].token);
        if (_as(payer, abi.encodeCall(vault.release, (payouts))) && vault.isPayoutReleased(payouts[0].id)) {
            vm.assertLe(payouts[0].amount, room, "a payout fits under the cap");
            paid[payouts[0].token] += payouts[0].amount;
        }
    }

    /// @dev Never past the guardian's next look, at which it makes one call.
    function letTimePass(uint256 time, bool pauses) external {
        uint256 next = block.timestamp + bound(time, 1, 20 hours);
        bool looks = next >= nextLook && !isGuardianAsleep;
        vm.warp(looks ? nextLook : next);
        if (!looks) return;
        nextLook += 1 days;
        // A pause alone would not stop what is announced. So the guardian pauses only where nothing is.
        bytes memory look = pauses && !_isAnythingAnnounced()
            ? abi.encodeCall(vault.pause, ())
            : abi.encodeCall(vault.withdrawAllAnnouncements, ());
        _as(guardian, look);
    }

    // ─── Within ─────────────────────────────────────────────────────────────────────────────────────────────────────

    uint256 private constant ACTS = 15;

    /// @dev Everything that the administrator may do after notice.
    function _act(uint256 which, uint256 seed) private view returns (bytes memory) {
        which %= ACTS;
        address token = _token(seed);
        uint256 held = 1_000_000;
        if (which == 0) return abi.encodeCall(vault.grantRole, (vault.PAYER_ROLE(), thief));
        if (which == 1) return abi.encodeCall(vault.grantRole, (vault.GUARDIAN_ROLE(), thief));
        if (which == 2) return abi.encodeCall(vault.grantRole, (vault.DEFAULT_ADMIN_ROLE(), thief));
        if (which == 3) return abi.encodeCall(vault.revokeRole, (vault.GUARDIAN_ROLE(), guardian));
        if (which == 4) return abi.encodeCall(vault.revokeRole, (vault.GUARDIAN_ROLE(), secondGuardian));
        if (which == 5) return abi.encodeCall(vault.setColdStorage, (thief));
        if (which == 6) return abi.encodeCall(vault.moveToCold, (token, held, vault.coldStorage()));
        if (which == 7) return abi.encodeCall(vault.moveToCold, (token, held, thief));
        if (which == 8) return abi.encodeCall(vault.setPayoutCap, (token, type(uint208).max));
        if (which == 9) return abi.encodeCall(vault.setBurnCap, (type(uint208).max));
        if (which == 10) return abi.encodeCall(vault.setPayoutGas, (vault.MAX_PAYOUT_GAS()));
        if (which == 11) return abi.encodeCall(vault.rescue, (token, thief, held));
        if (which == 12) return abi.encodeCall(vault.moveTo, (falseSuccessor, token));
        if (which == 13) return abi.encodeCall(vault.reinstateEvidence, (bytes32(seed), 0));
        return abi.encodeCall(vault.grantRole, (vault.FUNDER_ROLE(), thief));
    }

    function _isAnythingAnnounced() private view returns (bool) {
        for (uint256 which = 0; which < ACTS; ++which) {
            for (uint256 token = 0; token < 3; ++token) {
                if (vault.announcedFor(keccak256(_act(which, token))) != 0) return true;
            }
        }
        return false;
    }

    function _padded(bytes memory call, uint8 padding) private pure returns (bytes memory) {
        return padding % 4 == 0 ? abi.encodePacked(call, padding) : call;
    }

    function _role(uint256 seed) private view returns (bytes32) {
        return [vault.PAYER_ROLE(), vault.GUARDIAN_ROLE(), vault.DEFAULT_ADMIN_ROLE(), vault.FUNDER_ROLE()][seed % 4];
    }

    function _token(uint256 seed) private view returns (address) {
        return [vault.usdt(), vault.btn(), vault.btc()][seed % 3];
    }

    function _as(address caller, bytes memory call) private returns (bool done) {
        vm.prank(caller);
        (done,) = address(vault).call(call);
    }
}

/// @title The same thief in a next vault, from its deployment on, while the pool's money is still in the old one
/// @notice Nobody looks at the next vault before the move. From the move on the guardian looks once a day.
contract HostileBeforeTheMove is HostileAdministrator {
    address private immutable mover;
    uint256 private immutable moveFrom;
    uint256 private immutable moveUntil;

    /// @dev Made in the block in which the agreed move is announced.
    constructor(PoolVault next, PoolVault falseSuccessor, address[6] memory people)
        HostileAdministrator(next, falseSuccessor, people)
    {
        mover = people[0];
        moveFrom = block.timestamp + next.NOTICE();
        moveUntil = moveFrom + next.NOTICE_LIFE();
        isGuardianAsleep = true;
    }

    function moveTheMoney() external {
        PoolVault old = vault.predecessor();
        if (old.successor() != address(0) || block.timestamp < moveFrom || block.timestamp > moveUntil) return;
        vm.startPrank(mover);
        old.moveTo(address(vault), old.usdt());
        old.moveTo(address(vault), old.btn());
        old.moveTo(address(vault), old.btc());
        vm.stopPrank();
        isGuardianAsleep = false;
        nextLook = block.timestamp + 1 days;
    }
}
