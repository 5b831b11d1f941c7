// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import { PoolVault } from "../src/PoolVault.sol";
import { ExpiringPause } from "../src/internal/ExpiringPause.sol";
import { VaultFixture } from "./support/VaultFixture.sol";
import { bound, vm } from "./support/Vm.sol";
import { IERC20Errors } from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import { IERC20 } from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

contract DepositTest is VaultFixture {
    function testADepositIsCreditedToTheSenderForEachToken() public {
        address[3] memory tokens = [address(usdt), address(btn), address(btc)];
        for (uint256 i = 0; i < tokens.length; ++i) {
            _approve(alice, tokens[i], 5e7);
            vm.expectEmit(tokens[i]);
            emit IERC20.Transfer(alice, address(vault), 5e7);
            vm.expectEmit(address(vault));
            emit PoolVault.Deposited(alice, tokens[i], 5e7);
            vm.prank(alice);
            vault.deposit(tokens[i], 5e7);
            vm.assertEq(IERC20(tokens[i]).balanceOf(address(vault)), 5e7);
        }
    }

    function testAnyAmountIsDepositedExactly(uint256 amount) public {
        amount = bound(amount, 1, type(uint256).max - usdt.totalSupply());
        usdt.mint(bob, amount);
        _deposit(bob, address(usdt), amount);
        vm.assertEq(usdt.balanceOf(address(vault)), amount);
        vm.assertEq(usdt.balanceOf(bob), 0);
    }

    function testZeroCannotBeDeposited() public {
        vm.expectRevert(PoolVault.ZeroAmount.selector);
        vm.prank(alice);
        vault.deposit(address(usdt), 0);
    }

    function testMoreThanIsApprovedOrHeldCannotBeDeposited() public {
        _approve(alice, address(btc), 1e8);
        vm.startPrank(alice);
        vm.expectPartialRevert(IERC20Errors.ERC20InsufficientAllowance.selector);
        vault.deposit(address(btc), 1e8 + 1);
        vm.stopPrank();
        _approve(alice, address(btc), 2e8);
        vm.expectPartialRevert(IERC20Errors.ERC20InsufficientBalance.selector);
        vm.prank(alice);
        vault.deposit(address(btc), 2e8);
    }

    function testNobodyDepositsAnothersMoney() public {
        _approve(alice, address(btc), 1e8);
        vm.expectPartialRevert(IERC20Errors.ERC20InsufficientAllowance.selector);
        vm.prank(stranger);
        vault.deposit(address(btc), 1e8);
    }

    function testAnUnknownTokenIsRefused() public {
        vm.startPrank(alice);
        vm.expectRevert(abi.encodeWithSelector(PoolVault.NotAPoolToken.selector, address(this)));
        vault.deposit(address(this), 1);
        vm.expectRevert(abi.encodeWithSelector(PoolVault.NotAPoolToken.selector, address(this)));
        vault.depositWithPermit(address(this), 1, PoolVault.Permit(0, 0, 0, 0));
        vm.stopPrank();
    }

    function testAPermitReplacesTheApproval() public {
        PoolVault.Permit memory permit = _permit(btn, 7e18, block.timestamp);
        vm.expectEmit(address(vault));
        emit PoolVault.Deposited(alice, address(btn), 7e18);
        vm.prank(alice);
        vault.depositWithPermit(address(btn), 7e18, permit);
        vm.assertEq(btn.balanceOf(address(vault)), 7e18);
        vm.assertEq(btn.allowance(alice, address(vault)), 0);
    }

    function testAFrontRunPermitDoesNotStopTheDeposit() public {
        PoolVault.Permit memory permit = _permit(btn, 7e18, block.timestamp);
        vm.prank(stranger);
        btn.permit(alice, address(vault), 7e18, permit.deadline, permit.v, permit.r, permit.s);
        vm.prank(alice);
        vault.depositWithPermit(address(btn), 7e18, permit);
        vm.assertEq(btn.balanceOf(address(vault)), 7e18);
        vm.assertEq(btn.allowance(alice, address(vault)), 0);
    }

    function testAStolenPermitTakesNothing() public {
        PoolVault.Permit memory permit = _permit(btn, 7e18, block.timestamp);
        vm.expectPartialRevert(IERC20Errors.ERC20InsufficientAllowance.selector);
        vm.prank(stranger);
        vault.depositWithPermit(address(btn), 7e18, permit);
        vm.assertEq(btn.allowance(alice, address(vault)), 0);
    }

    function testAnExpiredPermitDoesNotDeposit() public {
        PoolVault.Permit memory permit = _permit(btn, 7e18, block.timestamp - 1);
        vm.expectPartialRevert(IERC20Errors.ERC20InsufficientAllowance.selector);
        vm.prank(alice);
        vault.depositWithPermit(address(btn), 7e18, permit);
    }

    /// @dev A pool that pays nothing out must not go on taking money in.
    function testNothingIsDepositedWhilePaused() public {
        vm.prank(guardian);
        vault.pause();
        vm.startPrank(alice);
        vm.expectRevert(ExpiringPause.EnforcedPause.selector);
        vault.deposit(address(usdt), 1);
        vm.expectRevert(ExpiringPause.EnforcedPause.selector);
        vault.depositWithPermit(address(btn), 1, PoolVault.Permit(0, 0, 0, 0));
        vm.stopPrank();
    }

    function testEtherIsRefused() public {
        vm.deal(alice, 1 ether);
        vm.startPrank(alice);
        (bool plain,) = address(vault).call{ value: 1 }("");
        (bool withDeposit,) = address(vault).call{ value: 1 }(abi.encodeCall(vault.deposit, (address(usdt), 1)));
        vm.stopPrank();
        vm.assertFalse(plain);
        vm.assertFalse(withDeposit);
    }
}
