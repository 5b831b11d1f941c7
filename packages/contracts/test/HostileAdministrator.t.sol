// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import { PoolVault } from "../src/PoolVault.sol";
import { VaultFixture } from "./support/VaultFixture.sol";
import { vm } from "./support/Vm.sol";

/// @title What a thief of the administrator's key tries, and does not get
/// @notice `Invariants.t.sol` tries all of it in random order, against a guardian who looks once a day.
contract HostileAdministratorTest is VaultFixture {
    uint256 private constant HELD = 1_000_000e6;

    function setUp() public override {
        super.setUp();
        usdt.mint(address(vault), HELD);
    }

    /// @dev The thief may not lift the pause, and its grant is withdrawn each day before the two days are over.
    function testAThiefTakesNothingByPayingItselfAgainstAGuardianWhoLooksOnceADay() public {
        PoolVault.Payout[] memory payouts = new PoolVault.Payout[](1);
        bytes32 role = vault.PAYER_ROLE();
        bytes memory grant = abi.encodeCall(vault.grantRole, (role, stranger));
        vm.prank(stranger);
        vault.acceptRole(role);
        for (uint256 i = 0; i < 60; ++i) {
            _try(administrator, abi.encodeCall(vault.unpause, ()));
            _try(administrator, grant);
            _try(administrator, abi.encodeCall(vault.announce, (grant)));
            payouts[0] = _payout(i, address(usdt), stranger, USDT_CAP);
            _try(stranger, abi.encodeCall(vault.release, (payouts)));
            vm.warp(block.timestamp + 1 days);
            _try(guardian, abi.encodeCall(vault.withdrawAllAnnouncements, ()));
            _try(guardian, abi.encodeCall(vault.pause, ()));
        }
        vm.assertEq(usdt.balanceOf(stranger), 0);
    }

    function testAThiefTakesNothingWithinTheNoticeWhileNoGuardianIsAwake() public {
        PoolVault.Payout[] memory payouts = new PoolVault.Payout[](1);
        bytes[6] memory acts = _grabs();
        vm.startPrank(stranger);
        vault.acceptRole(vault.PAYER_ROLE());
        vault.acceptRole(vault.DEFAULT_ADMIN_ROLE());
        vm.stopPrank();
        for (uint256 i = 0; i < acts.length; ++i) {
            vm.assertTrue(_try(administrator, abi.encodeCall(vault.announce, (acts[i]))));
        }
        for (uint256 hour = 0; hour < 48; ++hour) {
            for (uint256 i = 0; i < acts.length; ++i) {
                vm.assertFalse(_try(administrator, acts[i]));
            }
            payouts[0] = _payout(hour, address(usdt), stranger, 1);
            vm.assertFalse(_try(stranger, abi.encodeCall(vault.release, (payouts))));
            vm.assertFalse(_try(administrator, abi.encodeCall(vault.release, (payouts))));
            vm.warp(NOW + (hour + 1) * 1 hours - 1);
        }
        vm.assertEq(usdt.balanceOf(address(vault)), HELD);
    }

    /// @dev A thief who dismisses the guardian first, and announces the theft when the guardian is gone.
    function testAThiefCannotDismissAGuardianWhoIsAwake() public {
        bytes32 role = vault.GUARDIAN_ROLE();
        for (uint256 i = 0; i < 30; ++i) {
            _try(administrator, abi.encodeCall(vault.announce, (abi.encodeCall(vault.revokeRole, (role, guardian)))));
            _try(administrator, abi.encodeCall(vault.revokeRole, (role, guardian)));
            vm.warp(block.timestamp + 1 days);
            vm.prank(guardian);
            vault.withdrawAllAnnouncements();
        }
        vm.assertTrue(vault.hasRole(role, guardian));
    }

    function testAGuardianStopsAHandOver() public {
        bytes32 role = vault.DEFAULT_ADMIN_ROLE();
        bytes memory handOver = abi.encodeCall(vault.grantRole, (role, stranger));
        vm.prank(stranger);
        vault.acceptRole(role);
        vm.prank(administrator);
        vault.announce(handOver);
        vm.prank(guardian);
        vault.withdrawAnnouncement(keccak256(handOver));
        vm.warp(NOW + 2 days);
        vm.assertFalse(_try(administrator, handOver));
        vm.assertEq(vault.administrator(), administrator);
    }

    /// @dev A hundred variants of one act, told apart by what stands behind the arguments: one call withdraws all, and
    /// none of them could be made anyway.
    function testPaddedVariantsDoNotOutflankAGuardian() public {
        bytes memory move = abi.encodeCall(vault.setColdStorage, (stranger));
        for (uint8 i = 0; i < 100; ++i) {
            _try(administrator, abi.encodeCall(vault.announce, (abi.encodePacked(move, i))));
        }
        vm.warp(NOW + 2 days);
        vm.assertFalse(_try(administrator, abi.encodePacked(move, uint8(0))));
        vm.prank(guardian);
        vault.withdrawAllAnnouncements();
        vm.assertLt(vm.lastCallGas().gasTotalUsed, 50_000);
        for (uint8 i = 0; i < 100; ++i) {
            vm.assertFalse(_try(administrator, abi.encodePacked(move, i)));
        }
        vm.assertEq(vault.coldStorage(), cold);
    }

    function testALongAnnouncementIsRefused() public {
        bytes memory long = abi.encodePacked(abi.encodeCall(vault.setColdStorage, (stranger)), new bytes(300_000));
        vm.assertFalse(_try(administrator, abi.encodeCall(vault.announce, (long))));
    }

    function testAdministrationIsNotLostByRenouncingOrToNobody() public {
        bytes32 role = vault.DEFAULT_ADMIN_ROLE();
        bytes memory toNobody = abi.encodeCall(vault.grantRole, (role, address(0)));
        vm.assertFalse(_try(administrator, abi.encodeCall(vault.renounceRole, (role, administrator))));
        vm.assertTrue(_try(administrator, abi.encodeCall(vault.announce, (toNobody))));
        vm.warp(NOW + 2 days);
        vm.assertFalse(_try(administrator, toNobody));
        vm.assertEq(vault.administrator(), administrator);
    }

    function testAMoveDoesNotGoToAnAddressThatItsNoticeDoesNotName() public {
        bytes memory move = abi.encodeCall(vault.moveToCold, (address(usdt), HELD, cold));
        bytes memory change = abi.encodeCall(vault.setColdStorage, (stranger));
        vm.startPrank(administrator);
        vault.announce(move);
        vault.announce(change);
        vm.warp(NOW + 2 days);
        vault.setColdStorage(stranger);
        vm.expectRevert(abi.encodeWithSelector(PoolVault.ColdStorageIsNow.selector, stranger));
        vault.moveToCold(address(usdt), HELD, cold);
        vm.stopPrank();
    }

    function testAMemberIsNotMadeFunderAgainstItsWillAndIsPaid() public {
        bytes memory grant = abi.encodeCall(vault.grantRole, (vault.FUNDER_ROLE(), alice));
        vm.prank(administrator);
        vault.announce(grant);
        vm.warp(NOW + 2 days);
        vm.assertFalse(_try(administrator, grant));
        _expectReleased(_payout(1, address(usdt), alice, 1e6));
        _release(_payout(1, address(usdt), alice, 1e6));
    }

    function testAFormerColdAddressDoesNotFund() public {
        btc.mint(address(vault), 1e8);
        _announceAndDo(abi.encodeCall(vault.moveToCold, (address(btc), 1e8, cold)));
        _announceAndDo(abi.encodeCall(vault.setColdStorage, (bob)));
        _grant(vault.FUNDER_ROLE(), cold);
        _approve(cold, address(btc), 1e8);
        vm.expectRevert(abi.encodeWithSelector(PoolVault.CustodyCannotFund.selector, cold));
        vm.prank(cold);
        vault.fundDividend(uint32(block.timestamp / 1 days), 1e8, PoolVault.BitcoinOutput("mined", 0));
    }

    /// @dev What it can do at once, and the documents say so: stop payouts. It takes nothing by that.
    function testAThiefCanStopPayoutsAtOnce() public {
        vm.startPrank(administrator);
        vault.setPayoutCap(address(usdt), 0);
        vault.revokeRole(vault.PAYER_ROLE(), payer);
        vm.stopPrank();
        vm.assertEq(usdt.balanceOf(address(vault)), HELD);
    }

    /// @dev The documents say so, too. Nobody but the administrator can undo what it did at once.
    function testAThiefCanLockTheVaultForEver() public {
        PoolVault.Payout[] memory payouts = new PoolVault.Payout[](1);
        payouts[0] = _payout(1, address(usdt), bob, 1);
        bytes32 role = vault.PAYER_ROLE();
        vm.startPrank(administrator);
        vault.revokeRole(role, payer);
        vault.setPayoutCap(address(usdt), 0);
        vault.setQuoteSigner(address(0));
        vm.stopPrank();
        address[5] memory others = [guardian, secondGuardian, payer, funder, cold];
        vm.warp(NOW + 3650 days);
        for (uint256 i = 0; i < others.length; ++i) {
            bytes memory grant = abi.encodeCall(vault.grantRole, (role, payer));
            bytes memory move = abi.encodeCall(vault.moveToCold, (address(usdt), HELD, cold));
            vm.assertFalse(_try(others[i], abi.encodeCall(vault.announce, (grant))));
            vm.assertFalse(_try(others[i], abi.encodeCall(vault.announce, (move))));
            vm.assertFalse(_try(others[i], abi.encodeCall(vault.setPayoutCap, (address(usdt), USDT_CAP))));
            vm.assertFalse(_try(others[i], abi.encodeCall(vault.release, (payouts))));
        }
        vm.assertEq(usdt.balanceOf(address(vault)), HELD);
    }

    /// @dev Everything that, once made, would let money out to a stranger.
    function _grabs() private view returns (bytes[6] memory) {
        return [
            abi.encodeCall(vault.grantRole, (vault.PAYER_ROLE(), stranger)),
            abi.encodeCall(vault.grantRole, (vault.DEFAULT_ADMIN_ROLE(), stranger)),
            abi.encodeCall(vault.setColdStorage, (stranger)),
            abi.encodeCall(vault.moveToCold, (address(usdt), HELD, cold)),
            abi.encodeCall(vault.setPayoutCap, (address(usdt), type(uint208).max)),
            abi.encodeCall(vault.rescue, (address(this), stranger, HELD))
        ];
    }

    function _try(address caller, bytes memory call) private returns (bool done) {
        vm.prank(caller);
        (done,) = address(vault).call(call);
    }
}
