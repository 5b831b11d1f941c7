// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import { PoolVault } from "../src/PoolVault.sol";
import { HostileToken } from "../src/dev/HostileToken.sol";
import { VaultFixture } from "./support/VaultFixture.sol";
import { Vm, vm } from "./support/Vm.sol";
import { ReentrancyGuardTransient } from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

/// @title No function of the vault can be called during a transfer that the vault makes
/// @dev The token calls back with a deposit of another token: of its own, the exact sums would catch it too, and nobody
/// could tell which of the two guards held. It stands for BTN first, then for BTC.
contract ReentrancyTest is VaultFixture {
    HostileToken private evil;

    function setUp() public override {
        super.setUp();
        evil = new HostileToken();
        _place(address(evil), address(btc));
    }

    function _place(address btn_, address btc_) private {
        vault = new PoolVault(_setup(address(usdt), btn_, btc_));
        usdt.mint(address(evil), 1);
        _approve(address(evil), address(usdt), 0);
        _approve(address(evil), address(usdt), 1);
        address[3] memory holders = [alice, funder, address(vault)];
        for (uint256 i = 0; i < holders.length; ++i) {
            evil.mint(holders[i], 1000);
            _approve(holders[i], address(evil), 1000);
        }
        bytes memory callback = abi.encodeCall(PoolVault.deposit, (address(usdt), 1));
        evil.behave(HostileToken.Behaviour.CallBack, address(vault), address(vault), callback);
    }

    modifier refusedAs(address caller) {
        vm.prank(caller);
        vm.expectRevert(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector);
        _;
    }

    /// @dev Or all that follows would prove nothing.
    function testTheCallbackWorksOutsideATransfer() public {
        vm.prank(address(evil));
        vault.deposit(address(usdt), 1);
    }

    function testNoReentryDuringAPayment() public {
        PoolVault.Quote memory quote = _quote("order", address(evil), 10);
        bytes memory signature = _signed(quote);
        vm.startPrank(alice);
        vm.expectRevert(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector);
        vault.pay(quote, signature);
        vm.expectRevert(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector);
        vault.payWithPermit(quote, signature, PoolVault.Permit(0, 0, 0, 0));
        vm.stopPrank();
    }

    function testNoReentryDuringADeposit() public refusedAs(alice) {
        vault.deposit(address(evil), 10);
    }

    function testNoReentryDuringADepositWithPermit() public refusedAs(alice) {
        vault.depositWithPermit(address(evil), 10, PoolVault.Permit(0, 0, 0, 0));
    }

    function testNoReentryDuringTheFundingOfAReserve() public refusedAs(funder) {
        vault.fundReserve(PoolVault.ReserveKind.Mining, 10);
    }

    function testNoReentryDuringTheFundingOfADividend() public {
        _place(address(btn), address(evil));
        vm.prank(funder);
        vm.expectRevert(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector);
        vault.fundDividend(TODAY, 10, PoolVault.BitcoinOutput("txid", 0));
    }

    function testNoReentryDuringABurn() public refusedAs(payer) {
        vault.burn(10, "id");
    }

    function testNoReentryDuringAMoveToColdStorage() public {
        vm.startPrank(administrator);
        vault.announce(abi.encodeCall(PoolVault.moveToCold, (address(evil), 10, cold)));
        vm.warp(block.timestamp + 2 days);
        vm.expectRevert(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector);
        vault.moveToCold(address(evil), 10, cold);
        vm.stopPrank();
    }

    function testNoReentryDuringAPayout() public {
        vm.recordLogs();
        _release(_payout(1, address(evil), bob, 10));
        Vm.Log[] memory logs = vm.getRecordedLogs();
        vm.assertEq(logs.length, 1);
        vm.assertEq(logs[0].topics[0], PoolVault.PayoutSkipped.selector);
        vm.assertEq(usdt.balanceOf(address(vault)), 0);
    }
}
