// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import { PoolVault } from "../src/PoolVault.sol";
import { DevAggregator } from "../src/dev/DevAggregator.sol";
import { HostileToken } from "../src/dev/HostileToken.sol";
import { VaultFixture } from "./support/VaultFixture.sol";
import { bound, vm } from "./support/Vm.sol";

/// @title One attack of each class of the OWASP Smart Contract Top 10 (2026), and of the two that the 2025 list had
/// besides: randomness and denial of service. Each ends with the attacker having nothing.
contract OwaspTop10Test is VaultFixture {
    HostileToken private evil;
    uint256 private constant HELD = 40_000e6;

    function setUp() public override {
        super.setUp();
        evil = new HostileToken();
        vault = new PoolVault(_setup(address(evil), address(btn), address(btc)));
        evil.mint(address(vault), HELD);
        evil.mint(alice, 1000e6);
        btc.mint(address(vault), 1e8);
        vm.prank(funder);
        btn.approve(address(vault), type(uint256).max);
    }

    /// @dev SC01 Access control: a stranger calls everything that the vault has, with arguments of its choice.
    function testSC01AStrangerCallsEverythingAndMovesNothing(uint8 which, uint256 seed) public {
        PoolVault.Payout[] memory payouts = new PoolVault.Payout[](1);
        payouts[0] = _payout(seed, address(evil), stranger, HELD);
        bytes[] memory calls = new bytes[](17);
        calls[0] = abi.encodeCall(vault.release, (payouts));
        calls[1] = abi.encodeCall(vault.payOut, (payouts[0]));
        calls[2] = abi.encodeCall(vault.burn, (1, bytes32(seed)));
        calls[3] = abi.encodeCall(vault.moveToCold, (address(evil), HELD, cold));
        calls[4] = abi.encodeCall(vault.setColdStorage, (stranger));
        calls[5] = abi.encodeCall(vault.setQuoteSigner, (stranger));
        calls[6] = abi.encodeCall(vault.setPayoutCap, (address(evil), type(uint208).max));
        calls[7] = abi.encodeCall(vault.setBurnCap, (type(uint208).max));
        calls[8] = abi.encodeCall(vault.setPayoutGas, (type(uint32).max));
        calls[9] = abi.encodeCall(vault.announce, (calls[3]));
        calls[10] = abi.encodeCall(vault.withdrawAnnouncement, (keccak256(calls[3])));
        calls[11] = abi.encodeCall(vault.pause, ());
        calls[12] = abi.encodeCall(vault.unpause, ());
        calls[13] = abi.encodeCall(vault.grantRole, (bytes32(seed), stranger));
        calls[14] = abi.encodeCall(vault.rescue, (address(usdt), stranger, 1));
        calls[15] = abi.encodeCall(vault.withdrawAllAnnouncements, ());
        calls[16] = abi.encodeCall(vault.fundReserve, (PoolVault.ReserveKind.Mining, 1));
        vm.prank(stranger);
        (bool done,) = address(vault).call(calls[bound(which, 0, 16)]);
        vm.assertFalse(done);
        vm.assertEq(evil.balanceOf(address(vault)), HELD);
    }

    /// @dev SC02 Business logic: members' deposits are turned into a "dividend" over the two shortest ways.
    function testSC02MembersMoneyDoesNotComeBackAsADividend() public {
        _release(_payout(1, address(btc), funder, 1e8));
        vm.assertEq(btc.balanceOf(address(vault)), 1e8);
        _announceAndDo(abi.encodeCall(PoolVault.moveToCold, (address(btc), 1e8, cold)));
        _grant(vault.FUNDER_ROLE(), cold);
        vm.startPrank(cold);
        btc.approve(address(vault), 1e8);
        vm.expectRevert(abi.encodeWithSelector(PoolVault.CustodyCannotFund.selector, cold));
        vault.fundDividend(TODAY + 4, 1e8, PoolVault.BitcoinOutput("txid", 0));
        vm.stopPrank();
    }

    /// @dev SC03 Price oracle: prices are for showing. However wild, no amount on the chain follows them.
    function testSC03NoPriceChangesWhatIsPaid(int256 price) public {
        DevAggregator feed = new DevAggregator("BTC / USD", 8, 60_000e8);
        PoolVault.Quote memory quote = _quote("order", address(evil), 100e6);
        bytes memory signature = _signed(quote);
        _approve(alice, address(evil), 100e6);
        feed.setAnswer(price);
        vm.prank(alice);
        vault.pay(quote, signature);
        vm.assertEq(evil.balanceOf(address(vault)), HELD + 100e6);
    }

    /// @dev SC04 Flash loan: any amount, in and out in one transaction, buys no say, no share and no room under a cap.
    function testSC04AFlashLoanChangesNothingForOthers(uint128 loan) public {
        (, uint256 roomBefore) = vault.payoutCap(address(evil));
        uint256 amount = bound(loan, 1, type(uint128).max);
        evil.mint(stranger, amount);
        _deposit(stranger, address(evil), amount);
        (, uint256 roomAfter) = vault.payoutCap(address(evil));
        vm.assertEq(roomAfter, roomBefore);
        // And it does not come out again within the transaction: only the payer releases.
        PoolVault.Payout[] memory payouts = new PoolVault.Payout[](1);
        payouts[0] = _payout(1, address(evil), stranger, amount);
        vm.startPrank(stranger);
        _expectLacksRole(stranger, vault.PAYER_ROLE());
        vault.release(payouts);
        vm.stopPrank();
    }

    /// @dev SC05 Input validation: the hostile values of every argument, each refused or harmless.
    function testSC05HostileInputIsRefused() public {
        vm.startPrank(alice);
        vm.expectRevert(PoolVault.ZeroAmount.selector);
        vault.deposit(address(evil), 0);
        vm.expectRevert(abi.encodeWithSelector(PoolVault.NotAPoolToken.selector, address(0)));
        vault.deposit(address(0), 1);
        vm.stopPrank();
        vm.startPrank(funder);
        vm.expectRevert(PoolVault.NoEvidence.selector);
        vault.fundDividend(TODAY, 1, PoolVault.BitcoinOutput(0, 0));
        vm.expectPartialRevert(PoolVault.DayOutOfRange.selector);
        vault.fundDividend(0, 1, PoolVault.BitcoinOutput("txid", 0));
        vm.stopPrank();
        vm.expectRevert(abi.encodeWithSelector(PoolVault.BadBatchSize.selector, 101));
        _release(new PoolVault.Payout[](101));
        _expectSkipped(1, PoolVault.Outcome.Token);
        _release(_payout(1, address(evil), address(0), 1));
        vm.expectRevert(PoolVault.BadSetup.selector);
        new PoolVault(_setup(address(0), address(btn), address(btc)));
    }

    /// @dev SC06 Unchecked external calls: a transfer that fails without a revert is not taken for one that went well.
    function testSC06ASilentlyFailedTransferDoesNotCount() public {
        HostileToken.Behaviour[2] memory silent =
            [HostileToken.Behaviour.ReturnFalse, HostileToken.Behaviour.PretendSuccess];
        _approve(alice, address(evil), 10e6);
        for (uint256 i = 0; i < silent.length; ++i) {
            evil.behave(silent[i], address(0));
            vm.expectRevert();
            vm.prank(alice);
            vault.deposit(address(evil), 10e6);
            _expectSkipped(1, PoolVault.Outcome.Token);
            _release(_payout(1, address(evil), bob, 10e6));
        }
    }

    /// @dev SC07 Arithmetic: nothing is divided; a thousand small sums in and out leave not one unit over or short.
    function testSC07NoUnitIsLostOrGainedByRounding(uint16[20] calldata amounts) public {
        uint256 sum;
        for (uint256 i = 0; i < amounts.length; ++i) {
            uint256 amount = uint256(amounts[i]) + 1;
            evil.mint(bob, amount);
            _deposit(bob, address(evil), amount);
            sum += amount;
        }
        vm.assertEq(evil.balanceOf(address(vault)), HELD + sum);
        for (uint256 i = 0; i < amounts.length; ++i) {
            _release(_payout(i, address(evil), bob, uint256(amounts[i]) + 1));
        }
        vm.assertEq(evil.balanceOf(address(vault)), HELD);
        vm.assertEq(evil.balanceOf(bob), sum);
    }

    /// @dev SC08 Reentrancy: from within each transfer that the vault makes, each door that moves money is tried.
    function testSC08NoFunctionCanBeReenteredDuringATransfer(uint8 which) public {
        PoolVault.Payout[] memory payouts = new PoolVault.Payout[](1);
        payouts[0] = _payout(2, address(evil), stranger, 1e6);
        bytes[] memory doors = new bytes[](7);
        doors[0] = abi.encodeCall(vault.deposit, (address(evil), 1));
        doors[1] = abi.encodeCall(vault.depositWithPermit, (address(evil), 1, PoolVault.Permit(0, 0, 0, 0)));
        doors[2] = abi.encodeCall(vault.release, (payouts));
        doors[3] = abi.encodeCall(vault.burn, (1, "id"));
        doors[4] = abi.encodeCall(vault.fundDividend, (TODAY, 1, PoolVault.BitcoinOutput("txid", 0)));
        doors[5] = abi.encodeCall(vault.fundReserve, (PoolVault.ReserveKind.Mining, 1));
        doors[6] = abi.encodeCall(vault.payOut, (payouts[0]));
        // The token may do all that the pool may: the lock alone holds.
        _grant(vault.PAYER_ROLE(), address(evil));
        _grant(vault.FUNDER_ROLE(), address(evil));
        evil.mint(address(evil), 100);
        evil.behave(HostileToken.Behaviour.CallBack, address(0), address(vault), doors[bound(which, 0, 6)]);

        _approve(alice, address(evil), 10e6);
        vm.expectRevert();
        vm.prank(alice);
        vault.deposit(address(evil), 10e6);
        _expectSkipped(1, PoolVault.Outcome.Token);
        _release(_payout(1, address(evil), bob, 10e6));
        vm.assertEq(evil.balanceOf(address(vault)), HELD);
        vm.assertFalse(vault.isPayoutReleased(bytes32(uint256(2))));
    }

    /// @dev SC09 Overflow: the largest numbers there are, wherever a sum is made.
    function testSC09TheLargestNumbersOverflowNothing() public {
        _expectSkipped(1, PoolVault.Outcome.Cap);
        _release(_payout(1, address(evil), bob, type(uint256).max));
        _announceAndDo(abi.encodeCall(PoolVault.setPayoutCap, (address(evil), type(uint208).max)));
        _expectSkipped(1, PoolVault.Outcome.Balance);
        _release(_payout(1, address(evil), bob, type(uint208).max));
        _release(_payout(2, address(evil), bob, HELD));
        vm.assertEq(evil.balanceOf(bob), HELD);
        vm.expectPartialRevert(PoolVault.DayOutOfRange.selector);
        vm.prank(funder);
        vault.fundDividend(type(uint32).max, 1, PoolVault.BitcoinOutput("txid", 0));
        vm.expectRevert();
        vm.prank(payer);
        vault.burn(type(uint256).max, "id");
    }

    /// @dev SC10 Proxies: there is nothing to initialise again, to upgrade or to delegate to.
    function testSC10NothingCanBeUpgradedOrInitializedAgain() public {
        string[5] memory calls = [
            "initialize(address)",
            "upgradeTo(address)",
            "upgradeToAndCall(address,bytes)",
            "changeAdmin(address)",
            "setImplementation(address)"
        ];
        bytes32 code = address(vault).codehash;
        vm.startPrank(administrator);
        for (uint256 i = 0; i < calls.length; ++i) {
            (bool done,) = address(vault).call(abi.encodeWithSignature(calls[i], stranger, ""));
            vm.assertFalse(done);
        }
        vm.stopPrank();
        vm.assertEq(address(vault).codehash, code);
        bytes32 implementationSlot = bytes32(uint256(keccak256("eip1967.proxy.implementation")) - 1);
        vm.assertEq(vm.load(address(vault), implementationSlot), 0);
    }

    /// @dev 2025's SC09 Randomness: ids come from outside; one that is guessed or foretold wins nothing.
    function testAGuessedIdWinsNothing(bytes32 id) public {
        PoolVault.Quote memory quote = PoolVault.Quote(id, stranger, address(evil), 1, block.timestamp);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(uint256(keccak256("stranger")), vault.quoteDigest(quote));
        vm.expectPartialRevert(PoolVault.QuoteNotSigned.selector);
        vm.prank(stranger);
        vault.pay(quote, abi.encodePacked(r, s, v));
    }

    /// @dev 2025's SC10 Denial of service: one receiver that burns its gas, one that is blocked, one repeated id, one
    /// absurd amount and one unknown token stand before the honest one, which is paid.
    function testTheValidPayoutAfterFiveBadOnesIsPaid() public {
        _release(_payout(0, address(btc), bob, 1));
        evil.behave(HostileToken.Behaviour.BurnGas, stranger);
        PoolVault.Payout[] memory payouts = new PoolVault.Payout[](6);
        payouts[0] = _payout(1, address(evil), stranger, 1e6);
        payouts[1] = _payout(2, address(evil), address(0), 1e6);
        payouts[2] = _payout(0, address(btc), bob, 1);
        payouts[3] = _payout(4, address(evil), bob, type(uint256).max);
        payouts[4] = _payout(5, stranger, bob, 1);
        payouts[5] = _payout(6, address(evil), bob, 1e6);
        _expectReleased(payouts[5]);
        _release(payouts);
        vm.assertEq(evil.balanceOf(bob), 1e6);
    }

    /// @dev And a guardian gone bad can hold things up, but not for ever: it is dismissed, and the pool goes on.
    function testAMaliciousGuardianIsDismissedAndThePoolContinues() public {
        bytes memory call = abi.encodeCall(PoolVault.moveToCold, (address(evil), 1, cold));
        bytes32 role = vault.GUARDIAN_ROLE();
        vm.prank(administrator);
        vault.announce(call);
        vm.startPrank(guardian);
        vault.pause();
        vault.withdrawAllAnnouncements();
        vm.stopPrank();
        vm.prank(secondGuardian);
        vault.agreeToDismissal(guardian);
        vm.prank(administrator);
        vault.revokeRole(role, guardian);
        vm.prank(secondGuardian);
        vault.unpause();
        vm.warp(block.timestamp + 1);
        _announceAndDo(call);
        vm.assertEq(evil.balanceOf(cold), 1);
    }
}
