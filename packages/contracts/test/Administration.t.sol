// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import { PoolVault } from "../src/PoolVault.sol";
import { Announcements } from "../src/internal/Announcements.sol";
import { VaultFixture } from "./support/VaultFixture.sol";
import { vm } from "./support/Vm.sol";
import {
    IAccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/IAccessControlDefaultAdminRules.sol";
import { Pausable } from "@openzeppelin/contracts/utils/Pausable.sol";

contract AdministrationTest is VaultFixture {
    // ─── How it is made ─────────────────────────────────────────────────────────────────────────────────────────────

    function testAVaultStartsAsItWasSetUp() public view {
        vm.assertEq(vault.usdt(), address(usdt));
        vm.assertEq(vault.btn(), address(btn));
        vm.assertEq(vault.btc(), address(btc));
        vm.assertEq(vault.defaultAdmin(), administrator);
        vm.assertEq(vault.quoteSigner(), quoteSigner);
        vm.assertEq(vault.coldStorage(), cold);
        vm.assertTrue(vault.hasRole(vault.PAYER_ROLE(), payer));
        vm.assertTrue(vault.hasRole(vault.FUNDER_ROLE(), funder));
        vm.assertTrue(vault.hasRole(vault.GUARDIAN_ROLE(), guardian));
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

    function testAVaultCannotBeDeployedWithoutAnAdministratorOrAColdAddress() public {
        PoolVault.Setup memory setup = _setup(address(usdt), address(btn), address(btc));
        setup.coldStorage = address(0);
        vm.expectRevert(abi.encodeWithSelector(PoolVault.BadColdStorage.selector, address(0)));
        new PoolVault(setup);
        setup = _setup(address(usdt), address(btn), address(btc));
        setup.administrator = address(0);
        vm.expectPartialRevert(IAccessControlDefaultAdminRules.AccessControlInvalidDefaultAdmin.selector);
        new PoolVault(setup);
    }

    function _expectBadSetup(PoolVault.Setup memory setup) private {
        vm.expectRevert(PoolVault.BadSetup.selector);
        new PoolVault(setup);
    }

    // ─── Who may do what ────────────────────────────────────────────────────────────────────────────────────────────

    function testAGuardianPausesAndTheAdministratorUnpauses() public {
        vm.startPrank(stranger);
        _expectLacksRole(stranger, vault.GUARDIAN_ROLE());
        vault.pause();
        vm.stopPrank();

        vm.startPrank(guardian);
        vault.pause();
        vm.assertTrue(vault.paused());
        _expectLacksRole(guardian, vault.DEFAULT_ADMIN_ROLE());
        vault.unpause();
        vm.stopPrank();

        vm.startPrank(administrator);
        vault.unpause();
        vm.assertFalse(vault.paused());
        vm.expectRevert(Pausable.ExpectedPause.selector);
        vault.unpause();
        vm.stopPrank();
    }

    function testOnlyTheAdministratorCallsAdministrativeFunctions() public {
        address[5] memory others = [stranger, payer, funder, guardian, quoteSigner];
        bytes[] memory calls = new bytes[](8);
        calls[0] = abi.encodeCall(vault.setQuoteSigner, (stranger));
        calls[1] = abi.encodeCall(vault.setColdStorage, (stranger));
        calls[2] = abi.encodeCall(vault.setPayoutCap, (address(usdt), 0));
        calls[3] = abi.encodeCall(vault.setBurnCap, (0));
        calls[4] = abi.encodeCall(vault.setPayoutGas, (1_000_000));
        calls[5] = abi.encodeCall(vault.announce, (""));
        calls[6] = abi.encodeCall(vault.grantRole, (vault.PAYER_ROLE(), stranger));
        calls[7] = abi.encodeCall(vault.beginDefaultAdminTransfer, (stranger));
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

    function testAStolenPayerIsReplacedAtOnce() public {
        vm.startPrank(administrator);
        vault.revokeRole(vault.PAYER_ROLE(), payer);
        vault.grantRole(vault.PAYER_ROLE(), bob);
        vm.stopPrank();
        vm.startPrank(payer);
        _expectLacksRole(payer, vault.PAYER_ROLE());
        vault.burn(1, "id");
        vm.stopPrank();
        vm.assertTrue(vault.hasRole(vault.PAYER_ROLE(), bob));
    }

    // ─── Handing over ───────────────────────────────────────────────────────────────────────────────────────────────

    function testAdministrationIsHandedOverInTwoStepsWithNotice() public {
        vm.prank(administrator);
        vault.beginDefaultAdminTransfer(bob);
        vm.assertEq(vault.defaultAdmin(), administrator);
        vm.startPrank(bob);
        vm.expectPartialRevert(IAccessControlDefaultAdminRules.AccessControlEnforcedDefaultAdminDelay.selector);
        vault.acceptDefaultAdminTransfer();
        vm.warp(block.timestamp + vault.NOTICE() + 1);
        vault.acceptDefaultAdminTransfer();
        vm.stopPrank();
        vm.assertEq(vault.defaultAdmin(), bob);
        vm.startPrank(administrator);
        _expectLacksRole(administrator, vault.DEFAULT_ADMIN_ROLE());
        vault.setQuoteSigner(administrator);
        vm.stopPrank();
    }

    function testNobodyElseAcceptsAndNoRoleGrantsAdministration() public {
        bytes32 role = vault.DEFAULT_ADMIN_ROLE();
        vm.startPrank(administrator);
        vault.beginDefaultAdminTransfer(bob);
        vm.expectRevert(IAccessControlDefaultAdminRules.AccessControlEnforcedDefaultAdminRules.selector);
        vault.grantRole(role, stranger);
        vm.stopPrank();
        vm.warp(block.timestamp + 3 days);
        vm.expectPartialRevert(IAccessControlDefaultAdminRules.AccessControlInvalidDefaultAdmin.selector);
        vm.prank(stranger);
        vault.acceptDefaultAdminTransfer();
    }

    function testAdministrationCannotBeRenouncedInOneStep() public {
        bytes32 role = vault.DEFAULT_ADMIN_ROLE();
        vm.expectPartialRevert(IAccessControlDefaultAdminRules.AccessControlEnforcedDefaultAdminDelay.selector);
        vm.prank(administrator);
        vault.renounceRole(role, administrator);
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

    function testPayoutGasCannotBeSetBelowItsMinimum() public {
        uint32 least = vault.MIN_PAYOUT_GAS();
        vm.startPrank(administrator);
        vm.expectRevert(abi.encodeWithSelector(PoolVault.TooLittlePayoutGas.selector, least - 1));
        vault.setPayoutGas(least - 1);
        vm.expectEmit(address(vault));
        emit PoolVault.PayoutGasChanged(least, 400_000);
        vault.setPayoutGas(400_000);
        vm.stopPrank();
        vm.assertEq(vault.payoutGas(), 400_000);
    }

    // ─── Announcements ──────────────────────────────────────────────────────────────────────────────────────────────

    function testAGuardianWithdrawsAnAnnouncement() public {
        bytes memory call = abi.encodeCall(PoolVault.moveToCold, (address(usdt), 1));
        bytes32 hash = keccak256(call);
        vm.prank(administrator);
        vault.announce(call);
        vm.assertEq(vault.announcedFor(hash), NOW + 2 days);
        vm.expectEmit(address(vault));
        emit Announcements.AnnouncementWithdrawn(hash, guardian);
        vm.prank(guardian);
        vault.withdrawAnnouncement(call);
        vm.warp(NOW + 2 days);
        vm.expectRevert(abi.encodeWithSelector(Announcements.NotAnnounced.selector, hash));
        vm.prank(administrator);
        vault.moveToCold(address(usdt), 1);
    }

    function testOnlyAGuardianWithdrawsAndOnlyWhatIsAnnounced() public {
        vm.startPrank(guardian);
        vm.expectRevert(abi.encodeWithSelector(Announcements.NotAnnounced.selector, keccak256("none")));
        vault.withdrawAnnouncement("none");
        vm.stopPrank();
        vm.startPrank(stranger);
        _expectLacksRole(stranger, vault.GUARDIAN_ROLE());
        vault.withdrawAnnouncement("none");
        vm.stopPrank();
    }

    /// @dev Or a thief of the administrator's key would dismiss the guardian first.
    function testAGuardianIsDismissedOnlyAfterNoticeAndCannotPreventIt() public {
        bytes memory call = abi.encodeCall(vault.revokeRole, (vault.GUARDIAN_ROLE(), guardian));
        vm.startPrank(administrator);
        bytes32 role = vault.GUARDIAN_ROLE();
        vm.expectRevert(abi.encodeWithSelector(Announcements.NotAnnounced.selector, keccak256(call)));
        vault.revokeRole(role, guardian);
        vault.announce(call);
        vm.stopPrank();

        vm.expectRevert(Announcements.GuardiansCannotPreventThis.selector);
        vm.prank(guardian);
        vault.withdrawAnnouncement(call);

        vm.warp(NOW + 2 days);
        vm.startPrank(stranger);
        _expectLacksRole(stranger, vault.DEFAULT_ADMIN_ROLE());
        vault.revokeRole(role, guardian);
        vm.stopPrank();
        vm.prank(administrator);
        vault.revokeRole(role, guardian);
        vm.assertFalse(vault.hasRole(role, guardian));
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

    /// @dev With a guardian awake, a thief of the administrator's key is two days from being rid of it, and two more from
    /// the money.
    function testAThiefOfTheAdministratorsKeyNeedsFourDaysPastAGuardian() public {
        usdt.mint(address(vault), 1000e6);
        bytes memory theft = abi.encodeCall(PoolVault.setColdStorage, (stranger));
        vm.startPrank(administrator);
        vault.announce(abi.encodeCall(vault.revokeRole, (vault.GUARDIAN_ROLE(), guardian)));
        vault.announce(theft);
        vm.stopPrank();
        vm.warp(NOW + 2 days - 1);
        vm.prank(guardian);
        vault.withdrawAnnouncement(theft);
        vm.warp(NOW + 2 days);
        vm.startPrank(administrator);
        vault.revokeRole(vault.GUARDIAN_ROLE(), guardian);
        vault.announce(theft);
        vm.warp(NOW + 4 days - 1);
        vm.expectPartialRevert(Announcements.NotYet.selector);
        vault.setColdStorage(stranger);
        vm.stopPrank();
    }

    /// @dev What a thief of the administrator's key gets within the two days of notice: the caps, and not a unit more.
    function testAStolenAdministratorGetsNoMoreThanTheCapsBeforeItsNoticeIsOver() public {
        usdt.mint(address(vault), 1_000_000e6);
        vm.startPrank(administrator);
        vault.grantRole(vault.PAYER_ROLE(), administrator);
        vault.announce(abi.encodeCall(PoolVault.setPayoutCap, (address(usdt), type(uint208).max)));
        PoolVault.Payout[] memory payouts = new PoolVault.Payout[](1);
        uint256 end = block.timestamp + 2 days;
        for (uint256 i = 0; block.timestamp < end; ++i) {
            payouts[0] = _payout(i, address(usdt), stranger, 50_000e6);
            vault.release(payouts);
            vm.expectPartialRevert(Announcements.NotYet.selector);
            vault.setPayoutCap(address(usdt), type(uint208).max);
            vm.warp(block.timestamp + 1 hours);
        }
        vm.stopPrank();
        vm.assertEq(usdt.balanceOf(stranger), 2 * uint256(USDT_CAP));
    }
}
