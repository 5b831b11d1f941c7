// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import { PoolVault } from "../src/PoolVault.sol";
import { HostileToken } from "../src/dev/HostileToken.sol";
import { Announcements } from "../src/internal/Announcements.sol";
import { VaultFixture } from "./support/VaultFixture.sol";
import { vm } from "./support/Vm.sol";
import { IERC20Errors } from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import { IERC20 } from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

contract ColdStorageTest is VaultFixture {
    function setUp() public override {
        super.setUp();
        usdt.mint(address(vault), 1000e6);
        btc.mint(address(vault), 1e8);
    }

    function testAMoveIsAnnouncedAndGoesToTheColdAddress() public {
        bytes memory call = abi.encodeCall(PoolVault.moveToCold, (address(usdt), 400e6, cold));
        vm.startPrank(administrator);
        vm.expectEmit(address(vault));
        emit Announcements.Announced(keccak256(call), call, uint48(NOW + 2 days), uint48(NOW + 9 days));
        vault.announce(call);
        vm.warp(NOW + 2 days);
        vm.expectEmit(address(usdt));
        emit IERC20.Transfer(address(vault), cold, 400e6);
        vm.expectEmit(address(vault));
        emit PoolVault.MovedToCold(address(usdt), cold, 400e6, 400e6);
        vault.moveToCold(address(usdt), 400e6, cold);
        vm.stopPrank();
        vm.assertEq(usdt.balanceOf(cold), 400e6);
        vm.assertEq(usdt.balanceOf(address(vault)), 600e6);
    }

    function testAMoveWithoutNoticeOrTooEarlyOrTooLateIsRefused() public {
        bytes memory call = abi.encodeCall(PoolVault.moveToCold, (address(usdt), 400e6, cold));
        bytes32 hash = keccak256(call);
        vm.startPrank(administrator);
        vm.expectRevert(abi.encodeWithSelector(Announcements.NotAnnounced.selector, hash));
        vault.moveToCold(address(usdt), 400e6, cold);
        vault.announce(call);
        vm.warp(NOW + 2 days - 1);
        vm.expectRevert(abi.encodeWithSelector(Announcements.NotYet.selector, hash, NOW + 2 days));
        vault.moveToCold(address(usdt), 400e6, cold);
        vm.warp(NOW + 9 days + 1);
        vm.expectRevert(abi.encodeWithSelector(Announcements.NoLonger.selector, hash, NOW + 9 days));
        vault.moveToCold(address(usdt), 400e6, cold);
        vm.warp(NOW + 9 days);
        vault.moveToCold(address(usdt), 400e6, cold);
        vm.stopPrank();
    }

    function testANoticeIsForOneMoveWithExactlyItsTerms() public {
        vm.startPrank(administrator);
        vault.announce(abi.encodeCall(PoolVault.moveToCold, (address(usdt), 400e6, cold)));
        vm.warp(NOW + 2 days);
        vm.expectPartialRevert(Announcements.NotAnnounced.selector);
        vault.moveToCold(address(usdt), 401e6, cold);
        vm.expectPartialRevert(Announcements.NotAnnounced.selector);
        vault.moveToCold(address(btc), 400e6, cold);
        vault.moveToCold(address(usdt), 400e6, cold);
        vm.expectPartialRevert(Announcements.NotAnnounced.selector);
        vault.moveToCold(address(usdt), 400e6, cold);
        vm.stopPrank();
    }

    function testAFailedMoveDoesNotUseUpItsNotice() public {
        bytes memory call = abi.encodeCall(PoolVault.moveToCold, (address(btc), 2e8, cold));
        vm.startPrank(administrator);
        vault.announce(call);
        vm.warp(NOW + 2 days);
        vm.expectPartialRevert(IERC20Errors.ERC20InsufficientBalance.selector);
        vault.moveToCold(address(btc), 2e8, cold);
        vm.stopPrank();
        btc.mint(address(vault), 1e8);
        vm.prank(administrator);
        vault.moveToCold(address(btc), 2e8, cold);
    }

    /// @dev The money can be brought to safety while nobody can pay out: that is what a pause is for.
    function testAMoveWorksWhilePaused() public {
        vm.prank(guardian);
        vault.pause();
        _announceAndDo(abi.encodeCall(PoolVault.moveToCold, (address(btc), 1e8, cold)));
        vm.assertEq(btc.balanceOf(cold), 1e8);
    }

    function testOnlyTheAdministratorMoves() public {
        vm.prank(administrator);
        vault.announce(abi.encodeCall(PoolVault.moveToCold, (address(usdt), 1, cold)));
        vm.warp(NOW + 2 days);
        address[4] memory others = [stranger, payer, guardian, cold];
        for (uint256 i = 0; i < others.length; ++i) {
            vm.startPrank(others[i]);
            _expectLacksRole(others[i], vault.DEFAULT_ADMIN_ROLE());
            vault.moveToCold(address(usdt), 1, cold);
            vm.stopPrank();
        }
    }

    function testOnlyPoolTokensCanBeMoved() public {
        vm.startPrank(administrator);
        vault.announce(abi.encodeCall(PoolVault.moveToCold, (stranger, 1, cold)));
        vm.warp(NOW + 2 days);
        vm.expectRevert(abi.encodeWithSelector(PoolVault.NotAPoolToken.selector, stranger));
        vault.moveToCold(stranger, 1, cold);
        vm.stopPrank();
    }

    /// @dev Should a token turn its fee on, its payouts stop (they would be short), so this way must stay open; and the
    /// books learn what left and what arrived.
    function testATokenWithAFeeCanStillBeMovedAndTheEventShowsTheFee() public {
        HostileToken token = new HostileToken();
        vault = new PoolVault(_setup(address(token), address(btn), address(btc)));
        token.mint(address(vault), 1000);
        token.behave(HostileToken.Behaviour.TakeFeeFromReceiver, address(0));
        vm.startPrank(administrator);
        vault.announce(abi.encodeCall(PoolVault.moveToCold, (address(token), 1000, cold)));
        vm.warp(block.timestamp + 2 days);
        vm.expectEmit(address(vault));
        emit PoolVault.MovedToCold(address(token), cold, 1000, 990);
        vault.moveToCold(address(token), 1000, cold);
        vm.stopPrank();
    }

    // ─── The address ────────────────────────────────────────────────────────────────────────────────────────────────

    function testTheColdAddressChangesAfterNoticeOnly() public {
        vm.startPrank(administrator);
        vm.expectPartialRevert(Announcements.NotAnnounced.selector);
        vault.setColdStorage(bob);
        vm.stopPrank();
        vm.assertEq(vault.coldStorage(), cold);
        _announceAndDo(abi.encodeCall(PoolVault.setColdStorage, (bob)));
        vm.assertEq(vault.coldStorage(), bob);
        _announceAndDo(abi.encodeCall(PoolVault.moveToCold, (address(usdt), 1, bob)));
        vm.assertEq(usdt.balanceOf(bob), 1);
    }

    function testTheColdAddressCannotBeOneThatWouldLoseMoney() public {
        address[5] memory places = [address(0), address(vault), address(usdt), address(btn), address(btc)];
        vm.startPrank(administrator);
        for (uint256 i = 0; i < places.length; ++i) {
            vault.announce(abi.encodeCall(PoolVault.setColdStorage, (places[i])));
        }
        vm.warp(NOW + 2 days);
        for (uint256 i = 0; i < places.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(PoolVault.BadColdStorage.selector, places[i]));
            vault.setColdStorage(places[i]);
        }
        vm.stopPrank();
    }
}
