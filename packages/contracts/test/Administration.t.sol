// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import { PoolVault } from "../src/PoolVault.sol";
import { DevUsdt } from "../src/dev/DevUsdt.sol";
import { AcceptedRoles } from "../src/internal/AcceptedRoles.sol";
import { Announcements } from "../src/internal/Announcements.sol";
import { ExpiringPause } from "../src/internal/ExpiringPause.sol";
import { VaultFixture } from "./support/VaultFixture.sol";
import { bound, vm } from "./support/Vm.sol";

contract AdministrationTest is VaultFixture {
    // ─── How it is made ─────────────────────────────────────────────────────────────────────────────────────────────

    function testAVaultStartsAsItWasSetUp() public view {
        vm.assertEq(vault.usdt(), address(usdt));
        vm.assertEq(vault.btn(), address(btn));
        vm.assertEq(vault.btc(), address(btc));
        vm.assertEq(vault.administrator(), administrator);
        vm.assertTrue(vault.hasRole(vault.DEFAULT_ADMIN_ROLE(), administrator));
        vm.assertEq(vault.quoteSigner(), quoteSigner);
        vm.assertEq(vault.coldStorage(), cold);
        vm.assertTrue(vault.hasRole(vault.PAYER_ROLE(), payer));
        vm.assertTrue(vault.hasRole(vault.FUNDER_ROLE(), funder));
        vm.assertTrue(vault.hasRole(vault.GUARDIAN_ROLE(), guardian));
        vm.assertTrue(vault.hasRole(vault.GUARDIAN_ROLE(), secondGuardian));
        vm.assertTrue(vault.wasColdStorage(cold));
        vm.assertFalse(vault.hasRole(vault.DEFAULT_ADMIN_ROLE(), address(this))); // who deployed it
        (uint256 cap, uint256 room) = vault.payoutCap(address(btn));
        vm.assertEq(cap, BTN_CAP);
        vm.assertEq(room, BTN_CAP);
        (cap, room) = vault.burnCap();
        vm.assertEq(cap, BURN_CAP);
        vm.assertEq(room, BURN_CAP);
    }

    function testTheSigningDomainIsTheVaultsOwn() public view {
        (, string memory name, string memory version, uint256 chainId, address verifier,,) = vault.eip712Domain();
        vm.assertEq(name, "Lode PoolVault");
        vm.assertEq(version, "1");
        vm.assertEq(chainId, block.chainid);
        vm.assertEq(verifier, address(vault));
    }

    function testAVaultCannotBeDeployedWithMissingOrEqualTokens() public {
        (address a, address b, address c) = (address(usdt), address(btn), address(btc));
        _expectBadSetup(_setup(a, a, c));
        _expectBadSetup(_setup(a, b, b));
        _expectBadSetup(_setup(a, b, a));
        _expectBadSetup(_setup(stranger, b, c));
        _expectBadSetup(_setup(a, stranger, c));
        _expectBadSetup(_setup(a, b, stranger));
    }

    function testAVaultCannotBeDeployedWithoutAnAdministratorAColdAddressOrTwoGuardians() public {
        PoolVault.Setup memory setup = _ownSetup();
        setup.coldStorage = address(0);
        vm.expectRevert(abi.encodeWithSelector(PoolVault.BadColdStorage.selector, address(0)));
        new PoolVault(setup);
        setup = _ownSetup();
        setup.administrator = address(0);
        _expectBadSetup(setup);
        setup = _ownSetup();
        setup.guardian = address(0);
        _expectBadSetup(setup);
        setup = _ownSetup();
        setup.secondGuardian = address(0);
        _expectBadSetup(setup);
        setup.secondGuardian = guardian;
        _expectBadSetup(setup);
    }

    function _ownSetup() private view returns (PoolVault.Setup memory) {
        return _setup(address(usdt), address(btn), address(btc));
    }

    function _expectBadSetup(PoolVault.Setup memory setup) private {
        vm.expectRevert(PoolVault.BadSetup.selector);
        new PoolVault(setup);
    }

    // ─── Who may do what ────────────────────────────────────────────────────────────────────────────────────────────

    function testOnlyAGuardianPausesAndUnpauses() public {
        address[3] memory others = [stranger, payer, administrator];
        bytes32 role = vault.GUARDIAN_ROLE();
        for (uint256 i = 0; i < others.length; ++i) {
            vm.startPrank(others[i]);
            _expectLacksRole(others[i], role);
            vault.pause();
            _expectLacksRole(others[i], role);
            vault.unpause();
            vm.stopPrank();
        }
        vm.startPrank(guardian);
        vm.expectRevert(ExpiringPause.ExpectedPause.selector);
        vault.unpause();
        vm.expectEmit(address(vault));
        emit ExpiringPause.Paused(guardian, uint48(NOW + 7 days));
        vault.pause();
        vm.assertTrue(vault.paused());
        vm.stopPrank();
        vm.expectEmit(address(vault));
        emit ExpiringPause.Unpaused(secondGuardian);
        vm.prank(secondGuardian);
        vault.unpause();
        vm.assertFalse(vault.paused());
    }

    function testAPauseEndsByItselfAndComesAgainOnlyAfterAsLong() public {
        vm.startPrank(guardian);
        vault.pause();
        vm.expectRevert(abi.encodeWithSelector(ExpiringPause.NotPausableYet.selector, NOW + 14 days));
        vault.pause();
        vm.warp(NOW + 7 days - 1);
        vm.assertTrue(vault.paused());
        vm.warp(NOW + 7 days);
        vm.assertFalse(vault.paused());
        vm.expectRevert(ExpiringPause.ExpectedPause.selector);
        vault.unpause();
        vm.warp(NOW + 14 days - 1);
        vm.expectRevert(abi.encodeWithSelector(ExpiringPause.NotPausableYet.selector, NOW + 14 days));
        vault.pause();
        vm.warp(NOW + 14 days);
        vault.pause();
        vm.assertTrue(vault.paused());
        vm.stopPrank();
    }

    function testAShortPauseHasAShortCoolDown() public {
        vm.startPrank(guardian);
        vault.pause();
        vm.warp(NOW + 1 hours);
        vault.unpause();
        vm.expectRevert(abi.encodeWithSelector(ExpiringPause.NotPausableYet.selector, NOW + 2 hours));
        vault.pause();
        vm.warp(NOW + 2 hours);
        vault.pause();
        vm.stopPrank();
    }

    /// @dev However guardians pause and unpause, the vault runs for at least half of the time.
    function testGuardiansStopTheVaultForHalfOfTheTimeAtMost(uint32[32] calldata waits) public {
        uint256 stopped;
        for (uint256 i = 0; i < waits.length; ++i) {
            vm.startPrank(i % 3 == 0 ? secondGuardian : guardian);
            if (vault.paused()) vault.unpause();
            else try vault.pause() { } catch { }
            vm.stopPrank();
            uint256 from = block.timestamp;
            uint256 until = vault.pausedUntil();
            vm.warp(from + bound(waits[i], 0, 10 days));
            if (until > from) stopped += (until < block.timestamp ? until : block.timestamp) - from;
            // All but the last pause were followed by a run of at least the same length.
            uint256 ran = block.timestamp - NOW - stopped;
            vm.assertLe(stopped, ran + 7 days, "stopped for half of the time at most");
        }
    }

    function testOnlyTheAdministratorCallsAdministrativeFunctions() public {
        address[5] memory others = [stranger, payer, funder, guardian, quoteSigner];
        bytes[] memory calls = new bytes[](9);
        calls[0] = abi.encodeCall(vault.setQuoteSigner, (stranger));
        calls[1] = abi.encodeCall(vault.setColdStorage, (stranger));
        calls[2] = abi.encodeCall(vault.setPayoutCap, (address(usdt), 0));
        calls[3] = abi.encodeCall(vault.setBurnCap, (0));
        calls[4] = abi.encodeCall(vault.setPayoutGas, (1_000_000));
        calls[5] = abi.encodeCall(vault.announce, (""));
        calls[6] = abi.encodeCall(vault.grantRole, (vault.PAYER_ROLE(), stranger));
        calls[7] = abi.encodeCall(vault.revokeRole, (vault.PAYER_ROLE(), payer));
        calls[8] = abi.encodeCall(vault.rescue, (stranger, stranger, 1));
        for (uint256 i = 0; i < others.length; ++i) {
            for (uint256 j = 0; j < calls.length; ++j) {
                vm.startPrank(others[i]);
                _expectLacksRole(others[i], vault.DEFAULT_ADMIN_ROLE());
                // After `expectRevert` a bare call answers whether it reverted as expected.
                (bool refused,) = address(vault).call(calls[j]);
                vm.assertTrue(refused);
                vm.stopPrank();
            }
        }
    }

    function testAStolenPayerIsDismissedAtOnceAndReplacedAfterNotice() public {
        bytes32 role = vault.PAYER_ROLE();
        vm.prank(administrator);
        vault.revokeRole(role, payer);
        vm.startPrank(payer);
        _expectLacksRole(payer, role);
        vault.burn(1, "id");
        vm.stopPrank();
        _grant(role, bob);
        vm.assertTrue(vault.hasRole(role, bob));
    }

    // ─── Roles ──────────────────────────────────────────────────────────────────────────────────────────────────────

    function testARoleNeedsNoticeAndTheAcceptanceOfItsHolder() public {
        bytes32 role = vault.FUNDER_ROLE();
        bytes memory call = abi.encodeCall(vault.grantRole, (role, bob));
        vm.startPrank(administrator);
        vm.expectRevert(abi.encodeWithSelector(Announcements.NotAnnounced.selector, keccak256(call)));
        vault.grantRole(role, bob);
        vault.announce(call);
        vm.warp(NOW + 2 days);
        vm.expectRevert(abi.encodeWithSelector(AcceptedRoles.NotAccepted.selector, role, bob));
        vault.grantRole(role, bob);
        vm.stopPrank();

        vm.expectEmit(address(vault));
        emit AcceptedRoles.RoleAccepted(role, bob);
        vm.prank(bob);
        vault.acceptRole(role);
        vm.prank(administrator);
        vault.grantRole(role, bob);
        vm.assertTrue(vault.hasRole(role, bob));
        vm.assertFalse(vault.hasAccepted(role, bob)); // dismissed, it would have to accept again
    }

    function testAdministrationIsHandedOverAfterNoticeToAnAccountThatAccepts() public {
        bytes32 role = vault.DEFAULT_ADMIN_ROLE();
        _grant(role, bob);
        vm.assertEq(vault.administrator(), bob);
        vm.assertTrue(vault.hasRole(role, bob));
        vm.startPrank(administrator);
        _expectLacksRole(administrator, role);
        vault.setQuoteSigner(administrator);
        vm.stopPrank();
    }

    function testNobodyRenouncesAndTheAdministratorIsNotDismissed() public {
        bytes32 role = vault.DEFAULT_ADMIN_ROLE();
        vm.startPrank(administrator);
        vm.expectRevert(AcceptedRoles.RolesAreNotRenounced.selector);
        vault.renounceRole(role, administrator);
        vm.expectRevert(AcceptedRoles.AdministrationIsHandedOver.selector);
        vault.revokeRole(role, administrator);
        vm.stopPrank();
    }

    function testAGuardianIsDismissedAfterNoticeIfNoGuardianObjects() public {
        bytes32 role = vault.GUARDIAN_ROLE();
        bytes memory call = abi.encodeCall(vault.revokeRole, (role, guardian));
        vm.startPrank(administrator);
        vm.expectRevert(abi.encodeWithSelector(Announcements.NotAnnounced.selector, keccak256(call)));
        vault.revokeRole(role, guardian);
        vm.stopPrank();
        _announceAndDo(call);
        vm.assertFalse(vault.hasRole(role, guardian));
    }

    function testAGuardianIsDismissedAtOnceIfAnotherOneAgrees() public {
        bytes32 role = vault.GUARDIAN_ROLE();
        vm.startPrank(guardian);
        vm.expectRevert(AcceptedRoles.AnotherGuardianMustAgree.selector);
        vault.agreeToDismissal(guardian);
        vm.stopPrank();
        vm.startPrank(stranger);
        _expectLacksRole(stranger, role);
        vault.agreeToDismissal(guardian);
        vm.stopPrank();
        vm.expectEmit(address(vault));
        emit AcceptedRoles.DismissalAgreed(guardian, secondGuardian);
        vm.prank(secondGuardian);
        vault.agreeToDismissal(guardian);
        vm.prank(administrator);
        vault.revokeRole(role, guardian);
        vm.assertFalse(vault.hasRole(role, guardian));
    }

    function testAnAgreementToADismissalEndsWithItAndWithTheRoleOfItsGiver() public {
        bytes32 role = vault.GUARDIAN_ROLE();
        vm.prank(secondGuardian);
        vault.agreeToDismissal(guardian);
        vm.prank(guardian);
        vault.agreeToDismissal(secondGuardian);
        vm.startPrank(administrator);
        vault.revokeRole(role, guardian);
        // The one who agreed to this is no guardian any more.
        vm.expectPartialRevert(Announcements.NotAnnounced.selector);
        vault.revokeRole(role, secondGuardian);
        vm.stopPrank();
        _grant(role, guardian);
        vm.startPrank(administrator);
        vm.expectPartialRevert(Announcements.NotAnnounced.selector);
        vault.revokeRole(role, guardian);
        vm.stopPrank();
    }

    function testAnAgreementToADismissalEndsAfterTwoDays() public {
        bytes32 role = vault.GUARDIAN_ROLE();
        vm.prank(secondGuardian);
        vault.agreeToDismissal(guardian);
        vm.startPrank(administrator);
        vm.warp(NOW + 2 days + 1);
        vm.expectPartialRevert(Announcements.NotAnnounced.selector);
        vault.revokeRole(role, guardian);
        vm.warp(NOW + 2 days);
        vault.revokeRole(role, guardian);
        vm.stopPrank();
        vm.assertFalse(vault.hasRole(role, guardian));
    }

    function testAGuardianAgreesOnlyToTheDismissalOfAGuardian() public {
        vm.startPrank(guardian);
        vm.expectRevert(abi.encodeWithSelector(AcceptedRoles.NotAGuardian.selector, bob));
        vault.agreeToDismissal(bob);
        vm.stopPrank();
    }

    function testAnAgreementToADismissalIsTakenBackByItsGiver() public {
        bytes32 role = vault.GUARDIAN_ROLE();
        vm.prank(secondGuardian);
        vault.agreeToDismissal(guardian);
        (address other, uint48 until) = vault.dismissalAgreement(guardian);
        vm.assertEq(other, secondGuardian);
        vm.assertEq(until, NOW + vault.AGREEMENT_LIFE());
        vm.startPrank(guardian);
        vm.expectRevert(abi.encodeWithSelector(AcceptedRoles.NotAgreed.selector, guardian, guardian));
        vault.withdrawDismissalAgreement(guardian);
        vm.stopPrank();
        vm.expectEmit(address(vault));
        emit AcceptedRoles.DismissalAgreementWithdrawn(guardian, secondGuardian);
        vm.prank(secondGuardian);
        vault.withdrawDismissalAgreement(guardian);
        vm.startPrank(administrator);
        vm.expectPartialRevert(Announcements.NotAnnounced.selector);
        vault.revokeRole(role, guardian);
        vm.stopPrank();
        vm.assertTrue(vault.hasRole(role, guardian));
    }

    // ─── Caps ───────────────────────────────────────────────────────────────────────────────────────────────────────

    function testACapIsLoweredAtOnceAndRaisedAfterNotice() public {
        vm.startPrank(administrator);
        vm.expectEmit(address(vault));
        emit PoolVault.PayoutCapChanged(address(usdt), USDT_CAP, 1e6);
        vault.setPayoutCap(address(usdt), 1e6);
        vm.expectEmit(address(vault));
        emit PoolVault.BurnCapChanged(BURN_CAP, 1e18);
        vault.setBurnCap(1e18);
        vm.expectPartialRevert(Announcements.NotAnnounced.selector);
        vault.setPayoutCap(address(usdt), 1e6 + 1);
        vm.expectPartialRevert(Announcements.NotAnnounced.selector);
        vault.setBurnCap(1e18 + 1);
        vm.stopPrank();
        _announceAndDo(abi.encodeCall(PoolVault.setPayoutCap, (address(usdt), 2e6)));
        _announceAndDo(abi.encodeCall(PoolVault.setBurnCap, (2e18)));
        (uint256 cap,) = vault.payoutCap(address(usdt));
        vm.assertEq(cap, 2e6);
        (cap,) = vault.burnCap();
        vm.assertEq(cap, 2e18);
    }

    function testThereIsNoCapForAnUnknownToken() public {
        vm.expectRevert(abi.encodeWithSelector(PoolVault.NotAPoolToken.selector, stranger));
        vm.prank(administrator);
        vault.setPayoutCap(stranger, 1);
    }

    function testPayoutGasChangesAfterNoticeAndWithinBounds() public {
        (uint32 least, uint32 most) = (vault.MIN_PAYOUT_GAS(), vault.MAX_PAYOUT_GAS());
        uint32[4] memory values = [least - 1, most + 1, most, least];
        vm.startPrank(administrator);
        vm.expectPartialRevert(Announcements.NotAnnounced.selector);
        vault.setPayoutGas(most);
        for (uint256 i = 0; i < 4; ++i) {
            vault.announce(abi.encodeCall(PoolVault.setPayoutGas, (values[i])));
        }
        vm.warp(NOW + 2 days);
        for (uint256 i = 0; i < 2; ++i) {
            vm.expectRevert(abi.encodeWithSelector(PoolVault.BadPayoutGas.selector, values[i]));
            vault.setPayoutGas(values[i]);
        }
        vm.expectEmit(address(vault));
        emit PoolVault.PayoutGasChanged(least, most);
        vault.setPayoutGas(most);
        vm.assertEq(vault.payoutGas(), most);
        vault.setPayoutGas(least);
        vm.assertEq(vault.payoutGas(), least);
        vm.stopPrank();
    }

    /// @dev 16,777,216 is the most gas that a transaction may have on mainnet (EIP-7825).
    function testAtItsMostPayoutGasStillLetsABatchOfTenFitIntoATransaction() public {
        _announceAndDo(abi.encodeCall(PoolVault.setPayoutGas, (vault.MAX_PAYOUT_GAS())));
        vm.assertLe(vault.releaseGas(10), 16_777_216, "ten payouts");
    }

    // ─── Tokens that came by mistake ────────────────────────────────────────────────────────────────────────────────

    function testAForeignTokenIsRescuedAfterNoticeAndAPoolTokenNever() public {
        DevUsdt foreign = new DevUsdt();
        foreign.mint(address(vault), 5);
        usdt.mint(address(vault), 5);
        vm.startPrank(administrator);
        vm.expectPartialRevert(Announcements.NotAnnounced.selector);
        vault.rescue(address(foreign), bob, 5);
        vm.stopPrank();
        _announceAndDo(abi.encodeCall(PoolVault.rescue, (address(foreign), bob, 5)));
        vm.assertEq(foreign.balanceOf(bob), 5);
        address[3] memory tokens = [address(usdt), address(btn), address(btc)];
        for (uint256 i = 0; i < 3; ++i) {
            vm.startPrank(administrator);
            vault.announce(abi.encodeCall(PoolVault.rescue, (tokens[i], bob, 5)));
            vm.warp(block.timestamp + 2 days);
            vm.expectRevert(abi.encodeWithSelector(PoolVault.PoolTokenCannotBeRescued.selector, tokens[i]));
            vault.rescue(tokens[i], bob, 5);
            vm.stopPrank();
        }
    }

    function testARescueThroughASecondAddressOfAPoolTokenFails() public {
        usdt.mint(address(vault), 5);
        SecondAddress second = new SecondAddress(usdt);
        vm.prank(address(vault));
        usdt.approve(address(second), 5);
        vm.startPrank(administrator);
        vault.announce(abi.encodeCall(PoolVault.rescue, (address(second), bob, 5)));
        vm.warp(NOW + 2 days);
        vm.expectPartialRevert(PoolVault.Inexact.selector);
        vault.rescue(address(second), bob, 5);
        vm.stopPrank();
    }

    // ─── Announcements ──────────────────────────────────────────────────────────────────────────────────────────────

    function testAGuardianWithdrawsAnAnnouncement() public {
        bytes memory call = abi.encodeCall(PoolVault.moveToCold, (address(usdt), 1, cold));
        bytes32 hash = keccak256(call);
        vm.prank(administrator);
        vault.announce(call);
        vm.assertEq(vault.announcedFor(hash), NOW + 2 days);
        vm.expectEmit(address(vault));
        emit Announcements.AnnouncementWithdrawn(hash, guardian);
        vm.prank(guardian);
        vault.withdrawAnnouncement(hash);
        vm.warp(NOW + 2 days);
        vm.expectRevert(abi.encodeWithSelector(Announcements.NotAnnounced.selector, hash));
        vm.prank(administrator);
        vault.moveToCold(address(usdt), 1, cold);
    }

    function testOnlyAGuardianWithdrawsAndOnlyWhatIsAnnounced() public {
        vm.startPrank(guardian);
        vm.expectRevert(abi.encodeWithSelector(Announcements.NotAnnounced.selector, bytes32("none")));
        vault.withdrawAnnouncement("none");
        vm.stopPrank();
        vm.startPrank(administrator);
        _expectLacksRole(administrator, vault.GUARDIAN_ROLE());
        vault.withdrawAnnouncement("none");
        _expectLacksRole(administrator, vault.GUARDIAN_ROLE());
        vault.withdrawAllAnnouncements();
        vm.stopPrank();
    }

    function testAGuardianWithdrawsAllAnnouncementsAtOnceAndLaterOnesCount() public {
        bytes memory call = abi.encodeCall(PoolVault.setColdStorage, (bob));
        bytes memory later = abi.encodeCall(PoolVault.setBurnCap, (type(uint208).max));
        vm.prank(administrator);
        vault.announce(call);
        vm.warp(NOW + 1 days);
        vm.expectEmit(address(vault));
        emit Announcements.AllAnnouncementsWithdrawn(guardian);
        vm.prank(guardian);
        vault.withdrawAllAnnouncements();
        vm.assertEq(vault.announcedFor(keccak256(call)), 0);
        vm.startPrank(administrator);
        vault.announce(call); // in the same block: withdrawn too
        vm.assertEq(vault.announcedFor(keccak256(call)), 0);
        vm.warp(NOW + 1 days + 1);
        vault.announce(later);
        vm.warp(NOW + 3 days + 1);
        vm.expectRevert(abi.encodeWithSelector(Announcements.NotAnnounced.selector, keccak256(call)));
        vault.setColdStorage(bob);
        vm.expectEmit(address(vault));
        emit Announcements.AnnouncementUsed(keccak256(later));
        vault.setBurnCap(type(uint208).max);
        vm.stopPrank();
    }

    function testAnAnnouncementIsShortAndItsCallHasNothingBehindItsArguments() public {
        bytes memory longest = new bytes(vault.MAX_CALL_LENGTH());
        bytes memory padded = abi.encodePacked(abi.encodeCall(PoolVault.setColdStorage, (bob)), uint8(0));
        vm.startPrank(administrator);
        vault.announce(longest);
        vm.expectRevert(abi.encodeWithSelector(Announcements.CallTooLong.selector, 101));
        vault.announce(new bytes(101));
        vault.announce(padded);
        vm.warp(NOW + 2 days);
        (bool done, bytes memory answer) = address(vault).call(padded);
        vm.assertFalse(done);
        vm.assertEq(keccak256(answer), keccak256(abi.encodeWithSelector(Announcements.CallPadded.selector, 37)));
        vm.stopPrank();
    }

    function testAnnouncingAgainRestartsTheNotice() public {
        bytes memory call = abi.encodeCall(PoolVault.setColdStorage, (bob));
        vm.startPrank(administrator);
        vault.announce(call);
        vm.warp(NOW + 2 days);
        vault.announce(call);
        vm.expectPartialRevert(Announcements.NotYet.selector);
        vault.setColdStorage(bob);
        vm.warp(NOW + 4 days);
        vault.setColdStorage(bob);
        vm.stopPrank();
    }
}

/// @dev As some tokens have: a second contract that moves the balances of the first. Here by an allowance.
contract SecondAddress {
    DevUsdt private immutable token;

    constructor(DevUsdt token_) {
        token = token_;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        token.transferFrom(msg.sender, to, amount);
        return true;
    }
}
