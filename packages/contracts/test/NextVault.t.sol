// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import { PoolVault } from "../src/PoolVault.sol";
import { DevUsdt } from "../src/dev/DevUsdt.sol";
import { Announcements } from "../src/internal/Announcements.sol";
import { ExpiringPause } from "../src/internal/ExpiringPause.sol";
import { VaultFixture } from "./support/VaultFixture.sol";
import { vm } from "./support/Vm.sol";

/// @title The way to the next vault: the money moves, and what was done in the old vault counts in the new one
contract NextVaultTest is VaultFixture {
    PoolVault private old;
    PoolVault private next;

    function setUp() public override {
        super.setUp();
        usdt.mint(address(vault), 1000e6);
        btc.mint(address(vault), 1e8);
        vm.prank(funder);
        vault.fundReserve(PoolVault.ReserveKind.Mining, 1000e18);
        old = vault;
        next = _vaultAfter(old);
    }

    function testAVaultFollowsOnlyOneWithTheSameTokens() public {
        vm.assertEq(address(next.predecessor()), address(old));
        DevUsdt another = new DevUsdt();
        _expectNoVaultAfterOld(_setup(address(another), address(btn), address(btc)));
        _expectNoVaultAfterOld(_setup(address(usdt), address(another), address(btc)));
        _expectNoVaultAfterOld(_setup(address(usdt), address(btn), address(another)));
    }

    function testTheMoneyMovesAfterNotice() public {
        vm.startPrank(administrator);
        vm.expectPartialRevert(Announcements.NotAnnounced.selector);
        old.moveTo(address(next), address(usdt));
        vm.stopPrank();
        vm.startPrank(stranger);
        _expectLacksRole(stranger, old.DEFAULT_ADMIN_ROLE());
        old.moveTo(address(next), address(usdt));
        vm.stopPrank();
        _announceAll();
        vm.expectEmit(address(old));
        emit PoolVault.MovedToSuccessor(address(usdt), address(next), 1000e6, 1000e6);
        _moveAll();
        vm.assertEq(old.successor(), address(next));
        vm.assertEq(usdt.balanceOf(address(next)), 1000e6);
        vm.assertEq(btn.balanceOf(address(next)), 1000e18);
        vm.assertEq(btc.balanceOf(address(next)), 1e8);
        // What comes to the old vault later can follow, but nowhere else.
        usdt.mint(address(old), 5);
        _announceAndDo(abi.encodeCall(PoolVault.moveTo, (address(next), address(usdt))));
        vm.assertEq(usdt.balanceOf(address(next)), 1000e6 + 5);
        _expectMoveRefused(
            address(_vaultAfter(old)), address(usdt), abi.encodeWithSelector(PoolVault.MovedOn.selector, address(next))
        );
    }

    function testMoneyMovesOnlyToAVaultThatFollowsThisOne() public {
        bytes4 bad = PoolVault.BadSuccessor.selector;
        _expectMoveRefused(stranger, address(usdt), abi.encodeWithSelector(bad, stranger));
        PoolVault unrelated = new PoolVault(_setup(address(usdt), address(btn), address(btc)));
        _expectMoveRefused(address(unrelated), address(usdt), abi.encodeWithSelector(bad, address(unrelated)));
        OtherTokens other = new OtherTokens(old);
        _expectMoveRefused(address(other), address(usdt), abi.encodeWithSelector(bad, address(other)));
        _expectMoveRefused(address(next), stranger, abi.encodeWithSelector(PoolVault.NotAPoolToken.selector, stranger));
        vm.assertEq(old.successor(), address(0));
    }

    function testAnOldVaultTakesAndPaysNothingAfterItsFirstMove() public {
        _announceAndDo(abi.encodeCall(PoolVault.moveTo, (address(next), address(btc))));
        vm.assertTrue(old.paused());
        _approve(alice, address(usdt), 1);
        vm.expectRevert(ExpiringPause.EnforcedPause.selector);
        vm.prank(alice);
        old.deposit(address(usdt), 1);
        PoolVault.Payout[] memory payouts = new PoolVault.Payout[](1);
        payouts[0] = _payout(1, address(usdt), bob, 1);
        vm.expectRevert(ExpiringPause.EnforcedPause.selector);
        vm.prank(payer);
        old.release(payouts);
        vm.startPrank(funder);
        vm.expectRevert(abi.encodeWithSelector(PoolVault.MovedOn.selector, address(next)));
        old.fundReserve(PoolVault.ReserveKind.Mining, 1);
        vm.stopPrank();
        vm.warp(block.timestamp + 3650 days);
        vm.assertTrue(old.paused());
    }

    function testWhatCountedInTheOldVaultCountsInEveryLaterOne() public {
        _release(_payout(1, address(usdt), bob, 1e6));
        vm.prank(payer);
        old.burn(1e18, "burn");
        vm.prank(funder);
        old.fundDividend(TODAY, 1, PoolVault.BitcoinOutput("mined", 3));
        _announceAll();
        _moveAll();
        vault = next;
        _expectEverythingSpent();

        PoolVault third = _vaultAfter(next);
        _announceAll(next, third);
        _moveAll(next, third);
        vault = third;
        _expectEverythingSpent();
        vm.assertTrue(third.isPayoutReleased(bytes32(uint256(1))));
        vm.assertFalse(third.isPayoutReleased(bytes32(uint256(2))));
        _expectReleased(_payout(2, address(usdt), bob, 1e6));
        _release(_payout(2, address(usdt), bob, 1e6));
    }

    /// @dev Or one id could be paid in the new vault first and in the old one later.
    function testTheNextVaultPaysNothingBeforeTheOldOneHasMoved() public {
        usdt.mint(address(next), 10);
        PoolVault.Payout[] memory payouts = new PoolVault.Payout[](1);
        payouts[0] = _payout(1, address(usdt), bob, 1);
        vm.startPrank(payer);
        vm.expectRevert(PoolVault.PredecessorHasNotMoved.selector);
        next.release(payouts);
        vm.expectRevert(PoolVault.PredecessorHasNotMoved.selector);
        next.burn(1, "burn");
        vm.stopPrank();
        vm.startPrank(funder);
        vm.expectRevert(PoolVault.PredecessorHasNotMoved.selector);
        next.fundDividend(TODAY, 1, PoolVault.BitcoinOutput("mined", 3));
        vm.stopPrank();
        _approve(alice, address(usdt), 1);
        // The allowance is the old vault's; what is shown is that the new one takes deposits already.
        vm.startPrank(alice);
        usdt.approve(address(next), 1);
        next.deposit(address(usdt), 1);
        vm.stopPrank();
    }

    /// @dev Nobody reads the next vault before the money is there. So no notice can run out before that.
    function testANoticeInTheNextVaultBeginsAfterTheMove() public {
        bytes[3] memory thefts = [
            abi.encodeCall(PoolVault.setColdStorage, (stranger)),
            abi.encodeCall(PoolVault.moveToCold, (address(usdt), 1000e6, cold)),
            abi.encodeCall(next.grantRole, (next.PAYER_ROLE(), stranger))
        ];
        vm.startPrank(administrator);
        for (uint256 i = 0; i < thefts.length; ++i) {
            vm.expectRevert(PoolVault.PredecessorHasNotMoved.selector);
            next.announce(thefts[i]);
        }
        vm.stopPrank();
        _announceAll();
        _moveAll();
        uint256 movedAt = block.timestamp;
        vm.startPrank(administrator);
        vm.expectRevert(abi.encodeWithSelector(Announcements.NotAnnounced.selector, keccak256(thefts[0])));
        next.setColdStorage(stranger);
        next.announce(thefts[0]);
        vm.warp(movedAt + 2 days - 1);
        vm.expectPartialRevert(Announcements.NotYet.selector);
        next.setColdStorage(stranger);
        vm.warp(movedAt + 2 days);
        next.setColdStorage(stranger);
        vm.stopPrank();
        vm.assertEq(next.coldStorage(), stranger);
    }

    function testTheFirstTokenThatMovesOpensTheNextVaultsNotices() public {
        _announceAndDo(abi.encodeCall(PoolVault.moveTo, (address(next), address(btc))));
        bytes memory call = abi.encodeCall(PoolVault.setColdStorage, (bob));
        vm.prank(administrator);
        next.announce(call);
        vm.assertEq(next.announcedFor(keccak256(call)), block.timestamp + 2 days);
        // The other tokens can follow later.
        _announceAndDo(abi.encodeCall(PoolVault.moveTo, (address(next), address(usdt))));
        vm.assertEq(usdt.balanceOf(address(next)), 1000e6);
    }

    /// @dev The pool's money can no longer come to the abandoned vault. What somebody sent there can be brought away.
    function testMoneyInAnAbandonedVaultCanMoveAfterThePoolMovedElsewhere() public {
        PoolVault abandoned = _vaultAfter(old);
        usdt.mint(address(abandoned), 5);
        bytes memory call = abi.encodeCall(PoolVault.moveToCold, (address(usdt), 5, cold));
        vm.startPrank(administrator);
        vm.expectRevert(PoolVault.PredecessorHasNotMoved.selector);
        abandoned.announce(call);
        vm.stopPrank();
        _announceAll();
        _moveAll();
        vault = abandoned;
        _announceAndDo(call);
        vm.assertEq(usdt.balanceOf(cold), 5);
        vm.startPrank(payer);
        vm.expectRevert(PoolVault.PredecessorHasNotMoved.selector);
        abandoned.burn(1, "burn");
        vm.stopPrank();
    }

    function testAQuoteForTheOldVaultIsWorthNothingInTheNewOne() public {
        PoolVault.Quote memory quote = _quote("order", address(usdt), 100e6);
        bytes memory signature = _signed(quote);
        vm.startPrank(alice);
        usdt.approve(address(next), 100e6);
        vm.expectPartialRevert(PoolVault.QuoteNotSigned.selector);
        next.pay(quote, signature);
        vm.stopPrank();
    }

    function testABatchGetsEnoughGasToAskTheOldVault() public {
        _announceAll();
        _moveAll();
        vault = next;
        PoolVault.Payout[] memory payouts = new PoolVault.Payout[](90);
        for (uint256 i = 0; i < payouts.length; ++i) {
            payouts[i] = _payout(i, address(usdt), address(uint160(0xA11CE000 + i)), 1e6);
        }
        uint256 gasLimit = next.releaseGas(payouts.length);
        vm.assertEq(gasLimit - old.releaseGas(payouts.length), payouts.length * 10_000);
        vm.prank(payer);
        next.release{ gas: gasLimit }(payouts);
        vm.assertEq(usdt.balanceOf(address(next)), 910e6);
    }

    // ─── Within ─────────────────────────────────────────────────────────────────────────────────────────────────────

    function _vaultAfter(PoolVault before) private returns (PoolVault) {
        PoolVault.Setup memory setup = _setup(address(usdt), address(btn), address(btc));
        setup.predecessor = before;
        return new PoolVault(setup);
    }

    function _expectNoVaultAfterOld(PoolVault.Setup memory setup) private {
        setup.predecessor = old;
        vm.expectRevert(PoolVault.BadSetup.selector);
        new PoolVault(setup);
    }

    function _announceAll() private {
        _announceAll(old, next);
    }

    function _announceAll(PoolVault from, PoolVault to) private {
        address[3] memory tokens = [address(usdt), address(btn), address(btc)];
        vm.startPrank(administrator);
        for (uint256 i = 0; i < 3; ++i) {
            from.announce(abi.encodeCall(PoolVault.moveTo, (address(to), tokens[i])));
        }
        vm.stopPrank();
        vm.warp(block.timestamp + 2 days);
    }

    function _moveAll() private {
        _moveAll(old, next);
    }

    function _moveAll(PoolVault from, PoolVault to) private {
        vm.startPrank(administrator);
        from.moveTo(address(to), address(usdt));
        from.moveTo(address(to), address(btn));
        from.moveTo(address(to), address(btc));
        vm.stopPrank();
    }

    function _expectMoveRefused(address to, address token, bytes memory reason) private {
        vm.startPrank(administrator);
        old.announce(abi.encodeCall(PoolVault.moveTo, (to, token)));
        vm.warp(block.timestamp + 2 days);
        vm.expectRevert(reason);
        old.moveTo(to, token);
        vm.stopPrank();
    }

    function _expectEverythingSpent() private {
        vm.expectEmit(address(vault));
        emit PoolVault.PayoutRepeated(bytes32(uint256(1)));
        _release(_payout(1, address(usdt), bob, 1e6));
        vm.expectRevert(abi.encodeWithSelector(PoolVault.BurnIdSpent.selector, bytes32("burn")));
        vm.prank(payer);
        vault.burn(1e18, "burn");
        vm.expectRevert(abi.encodeWithSelector(PoolVault.EvidenceUsed.selector, bytes32("mined"), 3));
        vm.prank(funder);
        vault.fundDividend(uint32(block.timestamp / 1 days), 1, PoolVault.BitcoinOutput("mined", 3));
    }
}

/// @dev Says that it follows the vault, but holds other tokens.
contract OtherTokens {
    PoolVault public immutable predecessor;
    address public constant usdt = address(1);

    constructor(PoolVault predecessor_) {
        predecessor = predecessor_;
    }
}
