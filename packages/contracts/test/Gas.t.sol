// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import { PoolVault } from "../src/PoolVault.sol";
import { VaultFixture } from "./support/VaultFixture.sol";
import { vm } from "./support/Vm.sol";

/// @title Gas ceilings of the calls
/// @dev The gas of the call itself, from cold storage; sending a transaction comes on top (21,000 and its data).
contract GasTest is VaultFixture {
    function _cool() private {
        vm.cool(address(vault));
        vm.cool(address(usdt));
        vm.cool(address(btn));
        vm.cool(address(btc));
    }

    function testPayCostsLessThan100Thousand() public {
        PoolVault.Quote memory quote = _quote("order", address(usdt), 100e6);
        bytes memory signature = _signed(quote);
        _approve(alice, address(usdt), 100e6);
        _cool();
        vm.prank(alice);
        vault.pay(quote, signature);
        vm.assertLt(vm.lastCallGas().gasTotalUsed, 100_000);
    }

    function testDepositCostsLessThan70Thousand() public {
        _approve(alice, address(usdt), 100e6);
        _cool();
        vm.prank(alice);
        vault.deposit(address(usdt), 100e6);
        vm.assertLt(vm.lastCallGas().gasTotalUsed, 70_000);
    }

    function testAHundredPayoutsToNewReceiversCostLessThan7Million() public {
        usdt.mint(address(vault), 1000e6);
        PoolVault.Payout[] memory payouts = new PoolVault.Payout[](100);
        for (uint256 i = 0; i < 100; ++i) {
            payouts[i] = _payout(i, address(usdt), address(uint160(0xA11CE000 + i)), 1e6);
        }
        _cool();
        vm.prank(payer);
        vault.release(payouts);
        vm.assertLt(vm.lastCallGas().gasTotalUsed, 7_000_000);
        vm.assertEq(usdt.balanceOf(address(vault)), 900e6);
    }

    /// @dev Upon this `MIN_PAYOUT_GAS` rests: the first payout of all, to a new receiver, with everything cold.
    function testTheMostExpensivePayoutLeavesAQuarterOfItsGas() public {
        usdt.mint(address(vault), 1e6);
        _cool();
        vm.prank(address(vault));
        vault.payOut(_payout(1, address(usdt), bob, 1e6));
        vm.assertLt(vm.lastCallGas().gasTotalUsed, (uint256(vault.MIN_PAYOUT_GAS()) * 3) / 4);
    }
}
