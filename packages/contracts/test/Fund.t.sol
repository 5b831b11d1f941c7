// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import { PoolVault } from "../src/PoolVault.sol";
import { Announcements } from "../src/internal/Announcements.sol";
import { VaultFixture } from "./support/VaultFixture.sol";
import { bound, vm } from "./support/Vm.sol";
import { IERC20Errors } from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import { IERC20 } from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

contract FundTest is VaultFixture {
    bytes32 private constant TXID = 0x4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b;

    function _evidence(uint32 index) private pure returns (PoolVault.BitcoinOutput memory) {
        return PoolVault.BitcoinOutput(TXID, index);
    }

    // ─── Dividends ──────────────────────────────────────────────────────────────────────────────────────────────────

    function testADividendComesFromTheFunderWithItsMiningPayout() public {
        vm.expectEmit(address(btc));
        emit IERC20.Transfer(funder, address(vault), 3e6);
        vm.expectEmit(address(vault));
        emit PoolVault.DividendFunded(TODAY, TXID, funder, 7, address(btc), 3e6);
        vm.prank(funder);
        vault.fundDividend(TODAY, 3e6, _evidence(7));
        vm.assertEq(btc.balanceOf(address(vault)), 3e6);
        vm.assertTrue(vault.isEvidenceUsed(TXID, 7));
    }

    function testAMiningPayoutFundsOnlyOneDividend() public {
        vm.startPrank(funder);
        vault.fundDividend(TODAY, 3e6, _evidence(0));
        vm.expectRevert(abi.encodeWithSelector(PoolVault.EvidenceUsed.selector, TXID, 0));
        vault.fundDividend(TODAY - 1, 1, _evidence(0));
        vault.fundDividend(TODAY, 3e6, _evidence(1));
        vm.stopPrank();
    }

    function testADividendNeedsEvidence() public {
        vm.expectRevert(PoolVault.NoEvidence.selector);
        vm.prank(funder);
        vault.fundDividend(TODAY, 3e6, PoolVault.BitcoinOutput(0, 1));
    }

    function testAFailedFundingLeavesItsEvidenceUnused() public {
        vm.startPrank(funder);
        btc.approve(address(vault), 1e6);
        vm.expectPartialRevert(IERC20Errors.ERC20InsufficientAllowance.selector);
        vault.fundDividend(TODAY, 3e6, _evidence(0));
        vm.assertFalse(vault.isEvidenceUsed(TXID, 0));
        vm.expectRevert(PoolVault.ZeroAmount.selector);
        vault.fundDividend(TODAY, 0, _evidence(0));
        vm.stopPrank();
    }

    function testADayIsFundedFromTheDayBeforeUntilAWeekAfter(uint32 day, uint32 now_) public {
        vm.warp(now_);
        uint256 today = uint256(now_) / 1 days;
        day = uint32(bound(day, today < 10 ? 0 : today - 10, today + 4));
        vm.startPrank(funder);
        if (day > today + 1 || day + 7 < today) {
            vm.expectRevert(abi.encodeWithSelector(PoolVault.DayOutOfRange.selector, day, today));
        }
        vault.fundDividend(day, 1, _evidence(0));
        vm.stopPrank();
    }

    function testADayStartsAtMidnightUtc() public {
        vm.startPrank(funder);
        vm.warp(uint256(TODAY) * 1 days - 1);
        vault.fundDividend(TODAY - 8, 1, _evidence(0));
        vm.expectRevert(abi.encodeWithSelector(PoolVault.DayOutOfRange.selector, TODAY + 1, TODAY - 1));
        vault.fundDividend(TODAY + 1, 1, _evidence(1));
        vm.warp(uint256(TODAY) * 1 days);
        vm.expectRevert(abi.encodeWithSelector(PoolVault.DayOutOfRange.selector, TODAY - 8, TODAY));
        vault.fundDividend(TODAY - 8, 1, _evidence(2));
        vault.fundDividend(TODAY + 1, 1, _evidence(2));
        vm.stopPrank();
    }

    function testTheLargestDayNumberDoesNotOverflow() public {
        vm.expectRevert(abi.encodeWithSelector(PoolVault.DayOutOfRange.selector, type(uint32).max, TODAY));
        vm.prank(funder);
        vault.fundDividend(type(uint32).max, 1, _evidence(0));
    }

    function testOnlyAFunderFunds() public {
        address[4] memory others = [alice, payer, guardian, administrator];
        for (uint256 i = 0; i < others.length; ++i) {
            vm.startPrank(others[i]);
            _expectLacksRole(others[i], vault.FUNDER_ROLE());
            vault.fundDividend(TODAY, 1, _evidence(0));
            _expectLacksRole(others[i], vault.FUNDER_ROLE());
            vault.fundReserve(PoolVault.ReserveKind.Airdrop, 1);
            vm.stopPrank();
        }
    }

    // ─── Reserves ───────────────────────────────────────────────────────────────────────────────────────────────────

    function testEachReserveIsFundedInBtn() public {
        for (uint8 kind = 0; kind <= uint8(PoolVault.ReserveKind.Mining); ++kind) {
            vm.expectEmit(address(btn));
            emit IERC20.Transfer(funder, address(vault), 250e18);
            vm.expectEmit(address(vault));
            emit PoolVault.ReserveFunded(PoolVault.ReserveKind(kind), funder, address(btn), 250e18);
            vm.prank(funder);
            vault.fundReserve(PoolVault.ReserveKind(kind), 250e18);
        }
        vm.assertEq(btn.balanceOf(address(vault)), 1000e18);
    }

    function testAnUnknownReserveIsRefused() public {
        vm.prank(funder);
        (bool done,) =
            address(vault).call(abi.encodeWithSelector(PoolVault.fundReserve.selector, uint256(4), uint256(1)));
        vm.assertFalse(done);
    }

    /// @dev The same bytes the other way round: programs print a txid in one order and store it in the other.
    function testAnOutputCountsAsUsedInEitherByteOrder() public {
        bytes32 txid = 0x0102000000000000000000000000000000000000000000000000000000000304;
        bytes32 reversed = 0x0403000000000000000000000000000000000000000000000000000000000201;
        vm.startPrank(funder);
        vault.fundDividend(TODAY, 1, PoolVault.BitcoinOutput(txid, 0));
        vm.expectRevert(abi.encodeWithSelector(PoolVault.EvidenceUsed.selector, reversed, 0));
        vault.fundDividend(TODAY, 1, PoolVault.BitcoinOutput(reversed, 0));
        vault.fundDividend(TODAY, 1, PoolVault.BitcoinOutput(reversed, 1));
        vm.expectRevert(abi.encodeWithSelector(PoolVault.EvidenceUsed.selector, txid, 1));
        vault.fundDividend(TODAY, 1, PoolVault.BitcoinOutput(txid, 1));
        vm.stopPrank();
        vm.assertTrue(vault.isEvidenceUsed(txid, 0) && vault.isEvidenceUsed(reversed, 0));
        vm.assertFalse(vault.isEvidenceUsed(txid, 2));
    }

    function testAnOutputHasAnIndexThatABlockHasRoomFor() public {
        uint32 most = vault.MAX_OUTPUTS();
        vm.startPrank(funder);
        uint32[2] memory wrong = [most, type(uint32).max];
        for (uint256 i = 0; i < 2; ++i) {
            vm.expectRevert(abi.encodeWithSelector(PoolVault.BadOutputIndex.selector, wrong[i]));
            vault.fundDividend(TODAY, 1, PoolVault.BitcoinOutput("mined", wrong[i]));
        }
        vault.fundDividend(TODAY, 1, PoolVault.BitcoinOutput("mined", most - 1));
        vm.stopPrank();
    }

    /// @dev One satoshi by mistake, or by a thief of the funder's key, does not use an output up for ever.
    function testAMistakenOutputIsReinstatedAfterNotice() public {
        bytes memory call = abi.encodeCall(PoolVault.reinstateEvidence, ("mined", 3));
        vm.prank(funder);
        vault.fundDividend(TODAY, 1, PoolVault.BitcoinOutput("mined", 3));
        vm.startPrank(administrator);
        vm.expectPartialRevert(Announcements.NotAnnounced.selector);
        vault.reinstateEvidence("mined", 3);
        vault.announce(call);
        vault.announce(abi.encodeCall(PoolVault.reinstateEvidence, ("other", 3)));
        vm.warp(NOW + 2 days);
        vm.expectRevert(abi.encodeWithSelector(PoolVault.EvidenceUnused.selector, bytes32("other"), 3));
        vault.reinstateEvidence("other", 3);
        vm.expectEmit(address(vault));
        emit PoolVault.EvidenceReinstated("mined", 3);
        vault.reinstateEvidence("mined", 3);
        vm.stopPrank();
        vm.startPrank(funder);
        vault.fundDividend(TODAY, 1e8, PoolVault.BitcoinOutput("mined", 3));
        vm.expectRevert(abi.encodeWithSelector(PoolVault.EvidenceUsed.selector, bytes32("mined"), 3));
        vault.fundDividend(TODAY, 1e8, PoolVault.BitcoinOutput("mined", 3));
        vm.stopPrank();
    }

    // ─── Old members must not be paid with new members' money ───────────────────────────────────────────────────────

    function testTheColdAddressCannotFundEvenAsAFunder() public {
        btc.mint(cold, 1e8);
        _grant(vault.FUNDER_ROLE(), cold);
        vm.startPrank(cold);
        btc.approve(address(vault), 1e8);
        vm.expectRevert(abi.encodeWithSelector(PoolVault.CustodyCannotFund.selector, cold));
        vault.fundDividend(TODAY, 1e8, _evidence(0));
        vm.expectRevert(abi.encodeWithSelector(PoolVault.CustodyCannotFund.selector, cold));
        vault.fundReserve(PoolVault.ReserveKind.Mining, 1);
        vm.stopPrank();
    }

    function testTheVaultPaysNothingToAFunder() public {
        _deposit(alice, address(btc), 1e8);
        _expectSkipped(1, PoolVault.Outcome.Token);
        _release(_payout(1, address(btc), funder, 1e6));
        vm.assertEq(btc.balanceOf(address(vault)), 1e8);
    }

    function testAFunderDoesNotBecomeTheColdAddress() public {
        bytes memory call = abi.encodeCall(PoolVault.setColdStorage, (funder));
        vm.startPrank(administrator);
        vault.announce(call);
        vm.warp(block.timestamp + vault.NOTICE());
        vm.expectRevert(abi.encodeWithSelector(PoolVault.BadColdStorage.selector, funder));
        vault.setColdStorage(funder);
        vm.stopPrank();
    }
}
