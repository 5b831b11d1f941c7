// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import { PoolVault } from "../src/PoolVault.sol";
import { HostileToken } from "../src/dev/HostileToken.sol";
import { ExpiringPause } from "../src/internal/ExpiringPause.sol";
import { VaultFixture } from "./support/VaultFixture.sol";
import { bound, vm } from "./support/Vm.sol";
import { IERC20Errors } from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import { IERC20 } from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import { RateLimiter } from "@openzeppelin/contracts/utils/RateLimiter.sol";

contract BurnTest is VaultFixture {
    function setUp() public override {
        super.setUp();
        vm.prank(funder);
        btn.transfer(address(vault), 10_000_000e18);
    }

    function _burn(uint256 amount, bytes32 burnId) private {
        vm.prank(payer);
        vault.burn(amount, burnId);
    }

    function testBurningLowersTheSupplyOfBtn() public {
        vm.expectEmit(address(btn));
        emit IERC20.Transfer(address(vault), address(0), 50e18);
        vm.expectEmit(address(vault));
        emit PoolVault.Burned("day 1", address(btn), 50e18);
        _burn(50e18, "day 1");
        vm.assertEq(btn.balanceOf(address(vault)), 10_000_000e18 - 50e18);
        vm.assertEq(btn.totalSupply(), btn.cap() - 50e18);
        vm.assertTrue(vault.isBurnDone("day 1"));
    }

    function testABurnIdIsBurnedOnce() public {
        _burn(50e18, "day 1");
        vm.expectRevert(abi.encodeWithSelector(PoolVault.BurnIdSpent.selector, bytes32("day 1")));
        _burn(1, "day 1");
        _burn(50e18, "day 2");
    }

    function testABurnIdAndAPayoutIdAreIndependent() public {
        _burn(50e18, "id");
        PoolVault.Payout memory payout = PoolVault.Payout("id", address(btn), bob, 1);
        _expectReleased(payout);
        _release(payout);
    }

    function testAFailedBurnLeavesItsIdUnspent() public {
        _announceAndDo(abi.encodeCall(PoolVault.moveToCold, (address(btn), 10_000_000e18 - 1, cold)));
        vm.expectPartialRevert(IERC20Errors.ERC20InsufficientBalance.selector);
        _burn(2, "id");
        vm.assertFalse(vault.isBurnDone("id"));
        (, uint256 room) = vault.burnCap();
        vm.assertEq(room, BURN_CAP);
        _burn(1, "id");
    }

    function testBurningHasACapOfItsOwn() public {
        _burn(BURN_CAP, "1");
        (uint256 cap, uint256 room) = vault.burnCap();
        vm.assertEq(cap, BURN_CAP);
        vm.assertEq(room, 0);
        vm.expectRevert(RateLimiter.RateLimitExceeded.selector);
        _burn(1, "2");
        _release(_payout(1, address(btn), bob, BTN_CAP)); // untouched by the burn
        vm.warp(block.timestamp + 1 days - 1);
        vm.expectRevert(RateLimiter.RateLimitExceeded.selector);
        _burn(1, "2");
        vm.warp(block.timestamp + 1);
        _burn(1, "2");
    }

    function testABurnOfZeroIsRefused() public {
        vm.expectRevert(PoolVault.ZeroAmount.selector);
        _burn(0, "id");
    }

    function testOnlyThePayerBurnsAndNotWhilePaused() public {
        address[4] memory others = [stranger, funder, guardian, administrator];
        for (uint256 i = 0; i < others.length; ++i) {
            vm.startPrank(others[i]);
            _expectLacksRole(others[i], vault.PAYER_ROLE());
            vault.burn(1, "id");
            vm.stopPrank();
        }
        vm.prank(guardian);
        vault.pause();
        vm.expectRevert(ExpiringPause.EnforcedPause.selector);
        _burn(1, "id");
    }

    function testATokenThatBurnsMoreThanRequestedIsRefused() public {
        HostileToken greedy = new HostileToken();
        vault = new PoolVault(_setup(address(usdt), address(greedy), address(btc)));
        greedy.mint(address(vault), 1000);
        greedy.behave(HostileToken.Behaviour.TakeFeeFromSender, address(vault));
        vm.expectRevert(abi.encodeWithSelector(PoolVault.Inexact.selector, address(greedy), address(vault), 500, 495));
        _burn(500, "id");
    }

    function testAnyAmountWithinTheCapIsBurnedExactly(uint256 amount) public {
        amount = bound(amount, 1, BURN_CAP);
        _burn(amount, "id");
        vm.assertEq(btn.totalSupply(), btn.cap() - amount);
        (, uint256 room) = vault.burnCap();
        vm.assertEq(room, BURN_CAP - amount);
    }
}
