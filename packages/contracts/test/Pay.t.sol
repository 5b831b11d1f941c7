// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import { PoolVault } from "../src/PoolVault.sol";
import { ContractWallet } from "../src/dev/ContractWallet.sol";
import { ExpiringPause } from "../src/internal/ExpiringPause.sol";
import { VaultFixture } from "./support/VaultFixture.sol";
import { bound, vm } from "./support/Vm.sol";
import { IERC20Errors } from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import { IERC20 } from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

contract PayTest is VaultFixture {
    bytes32 private constant ORDER = "order";

    function testAPaymentTakesExactlyTheAmountAndEmitsItsOrder() public {
        PoolVault.Quote memory quote = _quote(ORDER, address(usdt), 100e6);
        bytes memory signature = _signed(quote);
        bytes32 digest = vault.quoteDigest(quote);
        _approve(alice, address(usdt), 100e6);

        // The token's own event comes right before the vault's: the watcher pairs them in that order.
        vm.expectEmit(address(usdt));
        emit IERC20.Transfer(alice, address(vault), 100e6);
        vm.expectEmit(address(vault));
        emit PoolVault.Paid(ORDER, alice, address(usdt), 100e6, digest);
        vm.prank(alice);
        vault.pay(quote, signature);

        vm.assertEq(usdt.balanceOf(address(vault)), 100e6);
        vm.assertEq(usdt.balanceOf(alice), 9_900e6);
        vm.assertEq(usdt.allowance(alice, address(vault)), 0);
        vm.assertTrue(vault.isQuoteSpent(digest));
    }

    function testAnOrderIsPaidOnceOnly() public {
        PoolVault.Quote memory quote = _quote(ORDER, address(usdt), 100e6);
        bytes memory signature = _signed(quote);
        _approve(alice, address(usdt), 200e6);
        vm.startPrank(alice);
        vault.pay(quote, signature);
        vm.expectRevert(abi.encodeWithSelector(PoolVault.QuoteSpent.selector, vault.quoteDigest(quote)));
        vault.pay(quote, signature);
        vm.stopPrank();
        vm.assertEq(usdt.balanceOf(address(vault)), 100e6);
    }

    function testAMalleatedSignatureDoesNotPayTwice() public {
        PoolVault.Quote memory quote = _quote(ORDER, address(usdt), 100e6);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(QUOTE_KEY, vault.quoteDigest(quote));
        uint256 order = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141;
        bytes memory mirrored = abi.encodePacked(r, bytes32(order - uint256(s)), v == 27 ? uint8(28) : uint8(27));
        _approve(alice, address(usdt), 200e6);
        vm.startPrank(alice);
        vm.expectPartialRevert(PoolVault.QuoteNotSigned.selector);
        vault.pay(quote, mirrored);
        vault.pay(quote, abi.encodePacked(r, s, v));
        vm.expectPartialRevert(PoolVault.QuoteSpent.selector);
        vault.pay(quote, mirrored);
        vm.stopPrank();
    }

    function testOnlyThePayerPays() public {
        PoolVault.Quote memory quote = _quote(ORDER, address(usdt), 100e6);
        bytes memory signature = _signed(quote);
        _approve(alice, address(usdt), 100e6);
        vm.expectRevert(abi.encodeWithSelector(PoolVault.NotThePayer.selector, alice, stranger));
        vm.prank(stranger);
        vault.pay(quote, signature);
    }

    function testAQuoteIsValidUpToItsDeadlineAndNotASecondLonger() public {
        PoolVault.Quote memory quote = _quote(ORDER, address(usdt), 100e6);
        PoolVault.Quote memory other = _quote("other", address(usdt), 100e6);
        bytes memory signature = _signed(quote);
        bytes memory otherSignature = _signed(other);
        _approve(alice, address(usdt), 200e6);
        vm.startPrank(alice);
        vm.warp(quote.deadline);
        vault.pay(quote, signature);
        vm.warp(quote.deadline + 1);
        vm.expectRevert(abi.encodeWithSelector(PoolVault.QuoteExpired.selector, other.deadline));
        vault.pay(other, otherSignature);
        vm.stopPrank();
    }

    /// @dev Every field is under the signature: whichever is changed, the quote is nobody's.
    function testNoTermOfAQuoteCanBeChanged(uint8 field, uint256 by) public {
        PoolVault.Quote memory quote = _quote(ORDER, address(usdt), 100e6);
        bytes memory signature = _signed(quote);
        address caller = alice;
        field = uint8(bound(field, 0, 4));
        if (field == 0) quote.orderId = bytes32(by);
        if (field == 1) quote.payer = caller = bob;
        if (field == 2) quote.token = address(btc);
        if (field == 3) quote.amount = bound(by, 1, 99e6);
        if (field == 4) quote.deadline += bound(by, 1, 1000 days);
        vm.expectRevert(abi.encodeWithSelector(PoolVault.QuoteNotSigned.selector, vault.quoteDigest(quote)));
        vm.prank(caller);
        vault.pay(quote, signature);
    }

    function testASignatureOfAnyOtherKeyIsRefused(uint256 key) public {
        key = bound(key, 1, type(uint128).max);
        vm.assume(key != QUOTE_KEY);
        PoolVault.Quote memory quote = _quote(ORDER, address(usdt), 100e6);
        bytes memory signature = _signedBy(key, quote);
        vm.expectPartialRevert(PoolVault.QuoteNotSigned.selector);
        vm.prank(alice);
        vault.pay(quote, signature);
    }

    function testGarbageInPlaceOfASignatureIsRefused(bytes calldata garbage) public {
        PoolVault.Quote memory quote = _quote(ORDER, address(usdt), 100e6);
        vm.expectPartialRevert(PoolVault.QuoteNotSigned.selector);
        vm.prank(alice);
        vault.pay(quote, garbage);
    }

    function testAQuoteForAnotherChainOrVaultIsRefused() public {
        PoolVault.Quote memory quote = _quote(ORDER, address(usdt), 100e6);
        bytes memory signature = _signed(quote);
        PoolVault other = new PoolVault(_setup(address(usdt), address(btn), address(btc)));
        vm.startPrank(alice);
        vm.expectPartialRevert(PoolVault.QuoteNotSigned.selector);
        other.pay(quote, signature);
        vm.chainId(block.chainid + 1);
        vm.expectPartialRevert(PoolVault.QuoteNotSigned.selector);
        vault.pay(quote, signature);
        vm.stopPrank();
    }

    function testReplacingTheQuoteKeyInvalidatesOldQuotesAtOnce() public {
        PoolVault.Quote memory quote = _quote(ORDER, address(usdt), 100e6);
        bytes memory former = _signed(quote);
        bytes memory latter = _signedBy(ALICE_KEY, quote);
        _approve(alice, address(usdt), 100e6);
        vm.expectEmit(address(vault));
        emit PoolVault.QuoteSignerChanged(quoteSigner, alice);
        vm.prank(administrator);
        vault.setQuoteSigner(alice);
        vm.startPrank(alice);
        vm.expectPartialRevert(PoolVault.QuoteNotSigned.selector);
        vault.pay(quote, former);
        vault.pay(quote, latter);
        vm.stopPrank();
    }

    function testWithoutAQuoteKeyNoQuoteIsValid() public {
        vm.prank(administrator);
        vault.setQuoteSigner(address(0));
        PoolVault.Quote memory quote = _quote(ORDER, address(usdt), 100e6);
        bytes memory signature = _signed(quote);
        vm.startPrank(alice);
        vm.expectPartialRevert(PoolVault.QuoteNotSigned.selector);
        vault.pay(quote, signature);
        vm.expectPartialRevert(PoolVault.QuoteNotSigned.selector);
        vault.pay(quote, new bytes(65));
        vm.stopPrank();
    }

    function testAFailedPaymentLeavesTheQuoteUnspent() public {
        PoolVault.Quote memory quote = _quote(ORDER, address(btn), 100e18);
        bytes memory signature = _signed(quote);
        vm.startPrank(alice);
        vm.expectPartialRevert(IERC20Errors.ERC20InsufficientAllowance.selector);
        vault.pay(quote, signature);
        vm.assertFalse(vault.isQuoteSpent(vault.quoteDigest(quote)));
        btn.approve(address(vault), 100e18);
        vault.pay(quote, signature);
        vm.stopPrank();
    }

    function testAQuoteForAnUnknownTokenOrForZeroIsRefusedEvenIfSigned() public {
        PoolVault.Quote memory quote = _quote(ORDER, stranger, 1);
        bytes memory signature = _signed(quote);
        vm.startPrank(alice);
        vm.expectRevert(abi.encodeWithSelector(PoolVault.NotAPoolToken.selector, stranger));
        vault.pay(quote, signature);
        vm.expectRevert(abi.encodeWithSelector(PoolVault.NotAPoolToken.selector, stranger));
        vault.payWithPermit(quote, signature, PoolVault.Permit(0, 0, 0, 0));
        quote = _quote(ORDER, address(usdt), 0);
        signature = _signed(quote);
        vm.expectRevert(PoolVault.ZeroAmount.selector);
        vault.pay(quote, signature);
        vm.stopPrank();
    }

    function testNothingIsPaidWhilePaused() public {
        PoolVault.Quote memory quote = _quote(ORDER, address(btn), 1);
        bytes memory signature = _signed(quote);
        vm.prank(guardian);
        vault.pause();
        vm.startPrank(alice);
        vm.expectRevert(ExpiringPause.EnforcedPause.selector);
        vault.pay(quote, signature);
        vm.expectRevert(ExpiringPause.EnforcedPause.selector);
        vault.payWithPermit(quote, signature, PoolVault.Permit(0, 0, 0, 0));
        vm.stopPrank();
    }

    function testAContractWalletPaysInItsOwnName() public {
        ContractWallet wallet = new ContractWallet(alice);
        usdt.mint(address(wallet), 100e6);
        PoolVault.Quote memory quote = _quote(ORDER, address(usdt), 100e6);
        quote.payer = address(wallet);
        bytes memory signature = _signed(quote);
        vm.startPrank(alice);
        wallet.execute(address(usdt), 0, abi.encodeCall(IERC20.approve, (address(vault), 100e6)));
        wallet.execute(address(vault), 0, abi.encodeCall(PoolVault.pay, (quote, signature)));
        vm.stopPrank();
        vm.assertEq(usdt.balanceOf(address(vault)), 100e6);
    }

    // ─── With a permit ──────────────────────────────────────────────────────────────────────────────────────────────

    function testAPermitReplacesTheApproval() public {
        PoolVault.Quote memory quote = _quote(ORDER, address(btn), 20_000e18);
        bytes memory signature = _signed(quote);
        PoolVault.Permit memory permit = _permit(btn, 20_000e18, block.timestamp);
        bytes32 digest = vault.quoteDigest(quote);
        vm.expectEmit(address(btn));
        emit IERC20.Transfer(alice, address(vault), 20_000e18);
        vm.expectEmit(address(vault));
        emit PoolVault.Paid(ORDER, alice, address(btn), 20_000e18, digest);
        vm.prank(alice);
        vault.payWithPermit(quote, signature, permit);
        vm.assertEq(btn.balanceOf(address(vault)), 20_000e18);
        vm.assertEq(btn.allowance(alice, address(vault)), 0);
    }

    function testAFrontRunPermitDoesNotStopThePayment() public {
        PoolVault.Quote memory quote = _quote(ORDER, address(btn), 20_000e18);
        bytes memory signature = _signed(quote);
        PoolVault.Permit memory permit = _permit(btn, 20_000e18, block.timestamp);
        vm.prank(stranger);
        btn.permit(alice, address(vault), 20_000e18, permit.deadline, permit.v, permit.r, permit.s);
        vm.prank(alice);
        vault.payWithPermit(quote, signature, permit);
        vm.assertEq(btn.balanceOf(address(vault)), 20_000e18);
        vm.assertEq(btn.allowance(alice, address(vault)), 0);
    }

    function testAPermitForAnotherAmountDoesNotPay(uint256 amount) public {
        amount = bound(amount, 0, 20_000e18 - 1);
        PoolVault.Quote memory quote = _quote(ORDER, address(btn), 20_000e18);
        bytes memory signature = _signed(quote);
        PoolVault.Permit memory permit = _permit(btn, amount, block.timestamp);
        vm.expectPartialRevert(IERC20Errors.ERC20InsufficientAllowance.selector);
        vm.prank(alice);
        vault.payWithPermit(quote, signature, permit);
    }

    function testATokenWithoutPermitIsPaidFromItsApproval() public {
        PoolVault.Quote memory quote = _quote(ORDER, address(usdt), 100e6);
        bytes memory signature = _signed(quote);
        _approve(alice, address(usdt), 100e6);
        vm.prank(alice);
        vault.payWithPermit(
            quote, signature, PoolVault.Permit(block.timestamp, 27, bytes32(uint256(1)), bytes32(uint256(1)))
        );
        vm.assertEq(usdt.balanceOf(address(vault)), 100e6);
    }

    // ─── Whatever the amounts ───────────────────────────────────────────────────────────────────────────────────────

    function testPaymentsOfManyOrdersAddUp(uint96[8] calldata amounts) public {
        uint256 sum;
        for (uint256 i = 0; i < amounts.length; ++i) {
            uint256 amount = bound(amounts[i], 1, type(uint96).max);
            usdt.mint(alice, amount);
            PoolVault.Quote memory quote = _quote(bytes32(i), address(usdt), amount);
            bytes memory signature = _signed(quote);
            _approve(alice, address(usdt), amount);
            vm.prank(alice);
            vault.pay(quote, signature);
            sum += amount;
            vm.assertEq(usdt.balanceOf(address(vault)), sum);
        }
    }
}
