// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import { PoolVault } from "../src/PoolVault.sol";
import { HostileToken } from "../src/dev/HostileToken.sol";
import { VaultFixture } from "./support/VaultFixture.sol";
import { Vm, bound, vm } from "./support/Vm.sol";
import { IERC20 } from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import { SafeERC20 } from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import { ReentrancyGuardTransient } from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

/// @title What a token, or one of its receivers, can do to the vault and to the other members
contract HostileTokenTest is VaultFixture {
    HostileToken private evil;

    uint256 private constant HELD = 1_000_000e6;

    function setUp() public override {
        super.setUp();
        evil = new HostileToken();
        vault = new PoolVault(_setup(address(evil), address(btn), address(btc)));
        evil.mint(address(vault), HELD);
        evil.mint(alice, 1000e6);
        btc.mint(address(vault), 1e8);
        _approve(alice, address(evil), 1000e6);
    }

    // ─── Money in ───────────────────────────────────────────────────────────────────────────────────────────────────

    function testAFeeTakenFromADepositIsRefused() public {
        evil.behave(HostileToken.Behaviour.TakeFeeFromReceiver, address(0));
        vm.expectRevert(
            abi.encodeWithSelector(PoolVault.Inexact.selector, address(evil), address(vault), HELD + 100e6, HELD + 99e6)
        );
        vm.prank(alice);
        vault.deposit(address(evil), 100e6);
    }

    function testAFeeTakenFromAPaymentIsRefusedAndTheQuoteStaysValid() public {
        PoolVault.Quote memory quote = _quote("order", address(evil), 100e6);
        bytes memory signature = _signed(quote);
        evil.behave(HostileToken.Behaviour.TakeFeeFromReceiver, address(0));
        vm.expectPartialRevert(PoolVault.Inexact.selector);
        vm.prank(alice);
        vault.pay(quote, signature);
        evil.behave(HostileToken.Behaviour.Honest, address(0));
        vm.prank(alice);
        vault.pay(quote, signature);
    }

    function testADepositThatMovesNothingIsRefused() public {
        evil.behave(HostileToken.Behaviour.PretendSuccess, alice);
        vm.expectPartialRevert(PoolVault.Inexact.selector);
        vm.prank(alice);
        vault.deposit(address(evil), 100e6);
        evil.behave(HostileToken.Behaviour.ReturnFalse, alice);
        vm.expectRevert(abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, address(evil)));
        vm.prank(alice);
        vault.deposit(address(evil), 100e6);
    }

    /// @dev Counting one transfer twice, once inside the other, is the oldest way to be credited for nothing.
    function testADepositWithinADepositIsRefused() public {
        evil.behave(
            HostileToken.Behaviour.CallBack,
            alice,
            address(vault),
            abi.encodeCall(PoolVault.deposit, (address(evil), 100e6))
        );
        vm.expectRevert(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector);
        vm.prank(alice);
        vault.deposit(address(evil), 100e6);
    }

    /// @dev A plain transfer in the middle of a deposit would count for both: the sum is inexact.
    function testAPlainTransferWithinADepositIsRefused() public {
        evil.mint(address(evil), 1);
        evil.behave(
            HostileToken.Behaviour.CallBack, alice, address(evil), abi.encodeCall(IERC20.transfer, (address(vault), 1))
        );
        vm.expectPartialRevert(PoolVault.Inexact.selector);
        vm.prank(alice);
        vault.deposit(address(evil), 100e6);
    }

    // ─── Money out: one receiver must not take the others down ──────────────────────────────────────────────────────

    function testABlockedReceiverIsSkippedAndTheOthersArePaid() public {
        _oneBadAmongThree(HostileToken.Behaviour.Block);
    }

    function testAReceiverForWhomTheTokenReturnsFalseIsSkipped() public {
        _oneBadAmongThree(HostileToken.Behaviour.ReturnFalse);
    }

    function testAPayoutThatMovesNothingIsSkipped() public {
        _oneBadAmongThree(HostileToken.Behaviour.PretendSuccess);
    }

    function testAPayoutThatAFeeWouldShortenIsSkipped() public {
        _oneBadAmongThree(HostileToken.Behaviour.TakeFeeFromReceiver);
    }

    function testAPayoutThatCostsTheVaultMoreIsSkipped() public {
        _oneBadAmongThree(HostileToken.Behaviour.TakeFeeFromSender);
    }

    function testAPayoutThatBurnsAllItsGasIsSkipped() public {
        _oneBadAmongThree(HostileToken.Behaviour.BurnGas);
    }

    function testAPayoutThatRevertsWithHugeDataIsSkipped() public {
        _oneBadAmongThree(HostileToken.Behaviour.RevertBomb);
    }

    function testATokenThatHidesABalanceIsSkipped() public {
        _oneBadAmongThree(HostileToken.Behaviour.LieAboutBalance);
    }

    function testAPayoutThatReentersReleaseIsSkipped() public {
        PoolVault.Payout[] memory again = new PoolVault.Payout[](1);
        again[0] = _payout(99, address(evil), bob, 1e6);
        evil.behave(HostileToken.Behaviour.CallBack, bob, address(vault), abi.encodeCall(PoolVault.release, (again)));
        // Even as a payer the token gets no second turn.
        _grant(vault.PAYER_ROLE(), address(evil));
        _expectOneBadAmongThree();
        vm.assertFalse(vault.isPayoutReleased(bytes32(uint256(99))));
    }

    function testAPayoutThatCallsPayOutItselfIsSkipped() public {
        evil.behave(
            HostileToken.Behaviour.CallBack,
            bob,
            address(vault),
            abi.encodeCall(PoolVault.payOut, (_payout(99, address(evil), bob, 1e6)))
        );
        _expectOneBadAmongThree();
    }

    /// @dev It would count as paid although the same money is credited as a deposit.
    function testAPayoutDuringWhichMoneyComesBackIsSkipped() public {
        evil.mint(address(evil), 10e6);
        evil.behave(
            HostileToken.Behaviour.CallBack, bob, address(evil), abi.encodeCall(IERC20.transfer, (address(vault), 10e6))
        );
        _expectOneBadAmongThree();
    }

    function testATokenCannotForgeTheReason() public {
        bytes[] memory forgeries = new bytes[](4);
        forgeries[0] = abi.encode(PoolVault.Outcome.Released);
        forgeries[1] = abi.encode(PoolVault.Outcome.Cap);
        forgeries[2] = abi.encode(PoolVault.Outcome.Balance);
        forgeries[3] = "";
        for (uint256 i = 0; i < forgeries.length; ++i) {
            evil.behave(HostileToken.Behaviour.RevertWith, bob, address(0), forgeries[i]);
            _expectSkipped(1, PoolVault.Outcome.Token);
            _release(_payout(1, address(evil), bob, 10e6));
        }
    }

    /// @dev With the gas to explode in full. Copied into the batch's own memory, a hundred bombs would take 13 MB of it,
    /// and more gas than a block has.
    function testHugeReturnDataIsNotCopied() public {
        _announceAndDo(abi.encodeCall(PoolVault.setPayoutGas, (300_000)));

        evil.behave(HostileToken.Behaviour.RevertBomb, address(0));
        _release(_hundred());
        vm.assertLt(vm.lastCallGas().gasTotalUsed, 20_000_000);
        vm.assertEq(evil.balanceOf(address(vault)), HELD);

        // The money did move and the answer is not false: this bomb is only a long "yes".
        evil.behave(HostileToken.Behaviour.ReturnBomb, address(0));
        _release(_hundred());
        vm.assertLt(vm.lastCallGas().gasTotalUsed, 20_000_000);
        vm.assertEq(evil.balanceOf(address(vault)), HELD - 100e6);
    }

    function testAHundredHugeAnswersFitIntoOneTransaction() public {
        _allHundredSkippedWithin(HostileToken.Behaviour.RevertBomb);
    }

    function testAHundredGasBurnersFitIntoOneTransaction() public {
        _allHundredSkippedWithin(HostileToken.Behaviour.BurnGas);
    }

    /// @dev The sharp form of "want of gas is never a refusal": a payout that needs all of its gas, to the unit. Given a
    /// little less than it was promised it would fail, and be told as refused by its token. The steps are shorter than
    /// what the vault uses between its check of the gas and the call.
    function testAPayoutThatNeedsAllOfItsGasIsNeverGivenLess() public {
        AdjustableVault adjustable = new AdjustableVault(_setup(address(evil), address(btn), address(btc)));
        vault = adjustable;
        evil.mint(address(vault), HELD);
        evil.behave(HostileToken.Behaviour.BeDear, address(0));
        (uint256 tooLittle, uint256 need) = (800_000, 1_000_000);
        adjustable.adjustPayoutGas(uint32(need));
        _tryRelease(1, 5_000_000); // from now on all is warm
        uint256 id = 1;
        while (need - tooLittle > 1) {
            uint256 middle = (tooLittle + need) / 2;
            adjustable.adjustPayoutGas(uint32(middle));
            _tryRelease(++id, 5_000_000);
            if (vault.isPayoutReleased(bytes32(id))) need = middle;
            else tooLittle = middle;
        }
        adjustable.adjustPayoutGas(uint32(need));
        uint256 released = 0;
        for (uint256 gasLimit = need; gasLimit < need + 80_000; gasLimit += 200) {
            if (!_tryRelease(++id, gasLimit)) continue;
            vm.assertTrue(vault.isPayoutReleased(bytes32(id)), "skipped for want of gas");
            ++released;
        }
        vm.assertTrue(released > 50 && released < 350, "the limits are on both sides of the margin");
    }

    function _tryRelease(uint256 id, uint256 gasLimit) private returns (bool done) {
        PoolVault.Payout[] memory payouts = new PoolVault.Payout[](1);
        payouts[0] = _payout(id, address(evil), bob, 1);
        vm.prank(payer);
        (done,) = address(vault).call{ gas: gasLimit }(abi.encodeCall(PoolVault.release, (payouts)));
    }

    /// @dev A token gone mad must not hold back the others.
    function testAFailingTokenDoesNotStopTheOtherTokens() public {
        evil.behave(HostileToken.Behaviour.LieAboutBalance, address(0));
        PoolVault.Payout[] memory payouts = new PoolVault.Payout[](2);
        payouts[0] = _payout(1, address(evil), bob, 1e6);
        payouts[1] = _payout(2, address(btc), bob, 1e6);
        _expectSkipped(1, PoolVault.Outcome.Token);
        _expectReleased(payouts[1]);
        _release(payouts);
    }

    function testASkippedPayoutIsPaidOnceTheTokenAllowsIt() public {
        PoolVault.Payout memory payout = _payout(1, address(evil), bob, 10e6);
        evil.behave(HostileToken.Behaviour.Block, bob);
        _expectSkipped(1, PoolVault.Outcome.Token);
        _release(payout);
        evil.behave(HostileToken.Behaviour.Honest, bob);
        _expectReleased(payout);
        _release(payout);
        vm.assertEq(evil.balanceOf(bob), 10e6);
    }

    // ─── Within ─────────────────────────────────────────────────────────────────────────────────────────────────────

    function _oneBadAmongThree(HostileToken.Behaviour behaviour) private {
        evil.behave(behaviour, bob);
        _expectOneBadAmongThree();
    }

    /// @dev Bob's payout is skipped with reason `Token`, its id unspent and its room unused; those around it are paid.
    function _expectOneBadAmongThree() private {
        PoolVault.Payout[] memory payouts = new PoolVault.Payout[](3);
        payouts[0] = _payout(1, address(evil), alice, 10e6);
        payouts[1] = _payout(2, address(evil), bob, 10e6);
        payouts[2] = _payout(3, address(evil), stranger, 10e6);
        _expectReleased(payouts[0]);
        _expectSkipped(2, PoolVault.Outcome.Token);
        _expectReleased(payouts[2]);
        _release(payouts);

        evil.behave(HostileToken.Behaviour.Honest, address(0));
        vm.assertFalse(vault.isPayoutReleased(payouts[1].id));
        vm.assertEq(evil.balanceOf(bob), 0);
        vm.assertEq(evil.balanceOf(stranger), 10e6);
        vm.assertEq(evil.balanceOf(address(vault)), HELD - 20e6);
        (, uint256 room) = vault.payoutCap(address(evil));
        vm.assertEq(room, USDT_CAP - 20e6);
    }

    function _allHundredSkippedWithin(HostileToken.Behaviour behaviour) private {
        evil.behave(behaviour, address(0));
        PoolVault.Payout[] memory payouts = _hundred();
        // What the vault says to send, less what it costs to send a transaction with 13 kB of call data.
        uint256 limit = vault.releaseGas(100) - 227_000;
        vm.assertLt(limit, 16_777_216 - 227_000); // what a transaction may use on mainnet
        vm.recordLogs();
        vm.prank(payer);
        vault.release{ gas: limit }(payouts);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        vm.assertEq(logs.length, 100);
        vm.assertEq(evil.balanceOf(address(vault)), HELD);
    }

    function _hundred() private view returns (PoolVault.Payout[] memory payouts) {
        payouts = new PoolVault.Payout[](100);
        for (uint256 i = 0; i < 100; ++i) {
            payouts[i] = _payout(i, address(evil), address(uint160(0xB0B000 + i)), 1e6);
        }
    }
}

/// @dev Its payout gas changes without notice: after two days the search for the room under the cap costs another sum.
contract AdjustableVault is PoolVault {
    constructor(Setup memory setup) PoolVault(setup) { }

    function adjustPayoutGas(uint32 gasEach) external {
        payoutGas = gasEach;
    }
}
