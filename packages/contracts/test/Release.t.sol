// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import { PoolVault } from "../src/PoolVault.sol";
import { ExpiringPause } from "../src/internal/ExpiringPause.sol";
import { VaultFixture } from "./support/VaultFixture.sol";
import { Vm, bound, vm } from "./support/Vm.sol";
import { IERC20 } from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

contract ReleaseTest is VaultFixture {
    function setUp() public override {
        super.setUp();
        usdt.mint(address(vault), 1_000_000e6);
        btc.mint(address(vault), 100e8);
        vm.prank(funder);
        btn.transfer(address(vault), 100_000_000e18);
    }

    function testAPayoutIsPaidAndEmitsItsEvent() public {
        PoolVault.Payout memory payout = _payout(1, address(usdt), bob, 25e6);
        vm.expectEmit(address(usdt));
        emit IERC20.Transfer(address(vault), bob, 25e6);
        _expectReleased(payout);
        _release(payout);
        vm.assertEq(usdt.balanceOf(bob), 25e6);
        vm.assertEq(usdt.balanceOf(address(vault)), 1_000_000e6 - 25e6);
        vm.assertTrue(vault.isPayoutReleased(payout.id));
    }

    function testABatchMayMixTokensAndReceivers() public {
        PoolVault.Payout[] memory payouts = new PoolVault.Payout[](3);
        payouts[0] = _payout(1, address(usdt), bob, 10e6);
        payouts[1] = _payout(2, address(btn), alice, 1000e18);
        payouts[2] = _payout(3, address(btc), bob, 50_000);
        for (uint256 i = 0; i < 3; ++i) {
            _expectReleased(payouts[i]);
        }
        _release(payouts);
        vm.assertEq(usdt.balanceOf(bob), 10e6);
        vm.assertEq(btn.balanceOf(alice), 101_000e18);
        vm.assertEq(btc.balanceOf(bob), 50_000);
    }

    function testOnlyThePayerReleases() public {
        PoolVault.Payout[] memory payouts = new PoolVault.Payout[](1);
        payouts[0] = _payout(1, address(usdt), stranger, 1);
        address[4] memory others = [stranger, funder, guardian, administrator];
        for (uint256 i = 0; i < others.length; ++i) {
            vm.startPrank(others[i]);
            _expectLacksRole(others[i], vault.PAYER_ROLE());
            vault.release(payouts);
            vm.stopPrank();
        }
    }

    function testNobodyCanCallPayOutDirectly() public {
        address[3] memory callers = [stranger, payer, administrator];
        for (uint256 i = 0; i < callers.length; ++i) {
            vm.expectRevert(PoolVault.OnlyTheVaultItself.selector);
            vm.prank(callers[i]);
            vault.payOut(_payout(1, address(usdt), callers[i], 1));
        }
    }

    function testNothingIsReleasedWhilePausedAndEverythingAfterwards() public {
        PoolVault.Payout[] memory payouts = new PoolVault.Payout[](1);
        payouts[0] = _payout(1, address(usdt), bob, 1e6);
        vm.prank(guardian);
        vault.pause();
        vm.expectRevert(ExpiringPause.EnforcedPause.selector);
        vm.prank(payer);
        vault.release(payouts);
        vm.prank(guardian);
        vault.unpause();
        _expectReleased(payouts[0]);
        _release(payouts);
    }

    function testABatchHasOneToAHundredPayouts() public {
        vm.expectRevert(abi.encodeWithSelector(PoolVault.BadBatchSize.selector, 0));
        _release(new PoolVault.Payout[](0));
        vm.expectRevert(abi.encodeWithSelector(PoolVault.BadBatchSize.selector, 101));
        _release(new PoolVault.Payout[](101));
        _release(_batch(100, 1e6));
        vm.assertEq(usdt.balanceOf(address(vault)), 999_900e6);
    }

    // ─── Once ───────────────────────────────────────────────────────────────────────────────────────────────────────

    function testAnIdIsPaidOnceWhateverItsTermsAndTheOthersArePaid() public {
        _release(_payout(1, address(usdt), bob, 10e6));
        PoolVault.Payout[] memory payouts = new PoolVault.Payout[](3);
        payouts[0] = _payout(1, address(usdt), bob, 10e6);
        payouts[1] = _payout(1, address(btc), stranger, 1);
        payouts[2] = _payout(2, address(usdt), bob, 5e6);
        vm.recordLogs();
        _release(payouts);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        vm.assertEq(logs.length, 4); // two repeats; a Transfer and its release
        for (uint256 i = 0; i < 2; ++i) {
            // Never `PayoutSkipped`: the server gives the money back upon that.
            vm.assertEq(logs[i].topics[0], PoolVault.PayoutRepeated.selector);
            vm.assertEq(logs[i].topics[1], bytes32(uint256(1)));
        }
        vm.assertEq(usdt.balanceOf(bob), 15e6);
        vm.assertEq(btc.balanceOf(stranger), 0);
    }

    function testAnIdTwiceInOneBatchIsPaidOnce() public {
        PoolVault.Payout[] memory payouts = new PoolVault.Payout[](2);
        payouts[0] = payouts[1] = _payout(1, address(usdt), bob, 10e6);
        _expectReleased(payouts[0]);
        vm.expectEmit(address(vault));
        emit PoolVault.PayoutRepeated(bytes32(uint256(1)));
        _release(payouts);
        vm.assertEq(usdt.balanceOf(bob), 10e6);
    }

    // ─── The cap ────────────────────────────────────────────────────────────────────────────────────────────────────

    function testAPayoutAboveTheCapIsSkippedAndSmallerOnesArePaid() public {
        PoolVault.Payout[] memory payouts = new PoolVault.Payout[](4);
        payouts[0] = _payout(1, address(usdt), bob, USDT_CAP - 10);
        payouts[1] = _payout(2, address(usdt), bob, 11);
        payouts[2] = _payout(3, address(usdt), bob, 10);
        payouts[3] = _payout(4, address(btc), bob, 1); // another token, another cap
        _expectReleased(payouts[0]);
        _expectSkipped(2, PoolVault.Outcome.Cap);
        _expectReleased(payouts[2]);
        _expectReleased(payouts[3]);
        _release(payouts);
        vm.assertFalse(vault.isPayoutReleased(payouts[1].id));
        (uint256 cap, uint256 room) = vault.payoutCap(address(usdt));
        vm.assertEq(cap, USDT_CAP);
        vm.assertEq(room, 0);
    }

    function testTheCapFreesUpADayAfterAPayoutAndNotAtMidnight() public {
        vm.warp(uint256(TODAY + 1) * 1 days - 1);
        _release(_payout(1, address(usdt), bob, USDT_CAP));
        vm.warp(block.timestamp + 1); // 00:00 UTC
        _expectSkipped(2, PoolVault.Outcome.Cap);
        _release(_payout(2, address(usdt), bob, 1));
        vm.warp(block.timestamp + 1 days - 2); // a second short of 24 hours
        _expectSkipped(2, PoolVault.Outcome.Cap);
        _release(_payout(2, address(usdt), bob, 1));
        vm.warp(block.timestamp + 1);
        _expectReleased(_payout(2, address(usdt), bob, 1));
        _release(_payout(2, address(usdt), bob, 1));
    }

    function testACapOfZeroBlocksATokenAndALoweredCapAppliesAtOnce() public {
        _release(_payout(1, address(usdt), bob, 1000e6));
        vm.prank(administrator);
        vault.setPayoutCap(address(usdt), 900e6); // below what has already left today
        (, uint256 room) = vault.payoutCap(address(usdt));
        vm.assertEq(room, 0);
        _expectSkipped(2, PoolVault.Outcome.Cap);
        _release(_payout(2, address(usdt), bob, 1));
        vm.prank(administrator);
        vault.setPayoutCap(address(usdt), 0);
        vm.warp(block.timestamp + 30 days);
        _expectSkipped(2, PoolVault.Outcome.Cap);
        _release(_payout(2, address(usdt), bob, 1));
    }

    function testAnAbsurdAmountIsSkippedAndTheOthersArePaid(uint256 amount) public {
        PoolVault.Payout[] memory payouts = new PoolVault.Payout[](2);
        payouts[0] = _payout(1, address(usdt), bob, bound(amount, uint256(USDT_CAP) + 1, type(uint256).max));
        payouts[1] = _payout(2, address(usdt), bob, 1);
        _expectSkipped(1, PoolVault.Outcome.Cap);
        _expectReleased(payouts[1]);
        _release(payouts);
    }

    function testASkippedPayoutUsesNoneOfTheCap() public {
        _release(_payout(1, address(usdt), address(0), 1000e6));
        _release(_payout(2, address(usdt), bob, uint256(USDT_CAP) + 1));
        (, uint256 room) = vault.payoutCap(address(usdt));
        vm.assertEq(room, USDT_CAP);
    }

    // ─── The balance ────────────────────────────────────────────────────────────────────────────────────────────────

    function testAPayoutAboveTheBalanceIsSkippedUntilTheBalanceSuffices() public {
        _announceAndDo(abi.encodeCall(PoolVault.moveToCold, (address(btc), 100e8 - 5, cold)));
        PoolVault.Payout[] memory payouts = new PoolVault.Payout[](2);
        payouts[0] = _payout(1, address(btc), bob, 6);
        payouts[1] = _payout(2, address(btc), bob, 5);
        _expectSkipped(1, PoolVault.Outcome.Balance);
        _expectReleased(payouts[1]);
        _release(payouts);
        vm.assertFalse(vault.isPayoutReleased(payouts[0].id));

        vm.prank(cold);
        btc.transfer(address(vault), 6);
        _expectReleased(payouts[0]);
        _release(payouts[0]);
    }

    // ─── The receiver ───────────────────────────────────────────────────────────────────────────────────────────────

    function testAPayoutToTheVaultATokenOrTheZeroAddressIsSkipped() public {
        // Mainnet USDT refuses none of these.
        address[5] memory places = [address(0), address(vault), address(usdt), address(btn), address(btc)];
        for (uint256 i = 0; i < places.length; ++i) {
            _expectSkipped(i, PoolVault.Outcome.Token);
            _release(_payout(i, address(usdt), places[i], 1e6));
            vm.assertFalse(vault.isPayoutReleased(bytes32(i)));
        }
        vm.assertEq(usdt.balanceOf(address(vault)), 1_000_000e6);
    }

    function testAPayoutOfZeroOrOfAnUnknownTokenIsSkipped() public {
        _expectSkipped(1, PoolVault.Outcome.Token);
        _release(_payout(1, address(usdt), bob, 0));
        _expectSkipped(2, PoolVault.Outcome.Token);
        _release(_payout(2, stranger, bob, 1));
        vm.assertFalse(vault.isPayoutReleased(bytes32(uint256(1))));
    }

    // ─── Gas ────────────────────────────────────────────────────────────────────────────────────────────────────────

    /// @dev Whatever gas it is sent with, `release` either reverts as a whole or tells the truth about each payout: want
    /// of gas is never taken for a refusal by the token, upon which the server would undo a good transfer.
    function testTooLittleGasNeverCountsAsARefusalByTheToken(uint256 gasLimit) public {
        PoolVault.Payout[] memory payouts = _batch(10, 1e6);
        gasLimit = bound(gasLimit, 60_000, 1_500_000);
        vm.recordLogs();
        vm.prank(payer);
        (bool done,) = address(vault).call{ gas: gasLimit }(abi.encodeCall(PoolVault.release, (payouts)));
        Vm.Log[] memory logs = vm.getRecordedLogs();
        if (!done) {
            vm.assertEq(usdt.balanceOf(address(vault)), 1_000_000e6);
            return;
        }
        vm.assertEq(usdt.balanceOf(address(vault)), 1_000_000e6 - 10e6);
        for (uint256 i = 0; i < logs.length; ++i) {
            vm.assertTrue(logs[i].topics[0] != PoolVault.PayoutSkipped.selector, "skipped for want of gas");
        }
    }

    function testReleaseGasIsEnoughForAnyBatch(uint8 size) public {
        uint256 payouts = bound(size, 1, 100);
        PoolVault.Payout[] memory batch = _batch(payouts, 1e6);
        uint256 limit = vault.releaseGas(payouts) - 21_000 - 2_060 * payouts;
        vm.prank(payer);
        vault.release{ gas: limit }(batch);
        vm.assertEq(usdt.balanceOf(address(vault)), 1_000_000e6 - payouts * 1e6);
    }

    function testTooLittleGasRevertsWithItsReason() public {
        PoolVault.Payout[] memory payouts = _batch(10, 1e6);
        vm.prank(payer);
        (bool done, bytes memory answer) =
            address(vault).call{ gas: 300_000 }(abi.encodeCall(PoolVault.release, (payouts)));
        vm.assertFalse(done);
        vm.assertEq(bytes32(bytes4(answer)), bytes32(PoolVault.OutOfPayoutGas.selector));
    }

    /// @dev The search through a long history must not eat what a payout has for its token.
    function testALongHistoryDoesNotMakeAPayoutFail() public {
        for (uint256 i = 0; i < 2000; ++i) {
            vm.warp(block.timestamp + 40);
            _release(_payout(i, address(usdt), bob, 1));
        }
        vm.cool(address(vault));
        vm.cool(address(usdt));
        vm.warp(block.timestamp + 40);
        _expectReleased(_payout(5000, address(usdt), alice, 1));
        _release(_payout(5000, address(usdt), alice, 1));
    }

    // ─── Whatever the amounts ───────────────────────────────────────────────────────────────────────────────────────

    function testABatchPaysExactlyWhatItSays(uint64[16] calldata amounts, uint8[16] calldata ids) public {
        PoolVault.Payout[] memory payouts = new PoolVault.Payout[](16);
        for (uint256 i = 0; i < 16; ++i) {
            payouts[i] = _payout(ids[i] % 12, address(usdt), bob, amounts[i] % 8_000e6);
        }

        vm.recordLogs();
        _release(payouts);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        uint256 told;
        for (uint256 i = 0; i < logs.length; ++i) {
            if (logs[i].topics[0] == PoolVault.PayoutReleased.selector) told += abi.decode(logs[i].data, (uint256));
        }
        vm.assertEq(usdt.balanceOf(bob), told);
        vm.assertEq(usdt.balanceOf(address(vault)), 1_000_000e6 - told);
        vm.assertLe(told, USDT_CAP, "cap");
    }

    function _batch(uint256 size, uint256 amount) private view returns (PoolVault.Payout[] memory payouts) {
        payouts = new PoolVault.Payout[](size);
        for (uint256 i = 0; i < size; ++i) {
            payouts[i] = _payout(i, address(usdt), address(uint160(0xA11CE000 + i)), amount);
        }
    }
}
