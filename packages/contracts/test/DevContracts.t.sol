// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import { BatchWallet } from "../src/dev/BatchWallet.sol";
import { ContractWallet } from "../src/dev/ContractWallet.sol";
import { ContractWalletFactory } from "../src/dev/ContractWalletFactory.sol";
import { DevAggregator } from "../src/dev/DevAggregator.sol";
import { DevUsdt } from "../src/dev/DevUsdt.sol";
import { DevWrappedBtc } from "../src/dev/DevWrappedBtc.sol";
import { GasBurningWallet } from "../src/dev/GasBurningWallet.sol";
import { NoWallet } from "../src/dev/NoWallet.sol";
import { ReturnBombWallet } from "../src/dev/ReturnBombWallet.sol";
import { YesWallet } from "../src/dev/YesWallet.sol";
import { vm } from "./support/Vm.sol";
import { IERC1271 } from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import { MessageHashUtils } from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import { SignatureChecker } from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// @title What development and the other tests rely on is itself as it claims to be
contract DevContractsTest {
    uint256 private constant KEY = 0xA11CE;
    address private immutable owner = vm.addr(KEY);
    bytes32 private immutable hash = MessageHashUtils.toEthSignedMessageHash(bytes("hello"));

    function _signature() private view returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(KEY, hash);
        return abi.encodePacked(r, s, v);
    }

    // ─── Wallets ────────────────────────────────────────────────────────────────────────────────────────────────────

    function testAContractWalletTakesItsOwnersSignatureOnly() public {
        ContractWallet wallet = new ContractWallet(owner);
        bytes memory signature = _signature();
        vm.assertEq(bytes32(wallet.isValidSignature(hash, signature)), bytes32(IERC1271.isValidSignature.selector));
        vm.assertEq(bytes32(wallet.isValidSignature("other", signature)), bytes32(bytes4(0xffffffff)));
        vm.assertEq(bytes32(wallet.isValidSignature(hash, "")), bytes32(bytes4(0xffffffff)));
    }

    function testAContractWalletActsForItsOwnerOnly() public {
        ContractWallet wallet = new ContractWallet(owner);
        vm.deal(address(this), 2 ether);
        (bool received,) = address(wallet).call{ value: 1 ether }("");
        vm.assertTrue(received);
        vm.expectRevert(abi.encodeWithSelector(ContractWallet.NotOwner.selector, address(this)));
        wallet.execute(address(0xB0B), 1 ether, "");
        DevUsdt usdt = new DevUsdt();
        vm.prank(owner);
        wallet.execute(address(usdt), 0, abi.encodeCall(DevUsdt.mint, (address(wallet), 5)));
        vm.assertEq(usdt.balanceOf(address(wallet)), 5);
    }

    function testABatchWalletDoesAllOrNothingForItsOwnerOnly() public {
        BatchWallet wallet = new BatchWallet(owner);
        DevUsdt usdt = new DevUsdt();
        BatchWallet.Call[] memory calls = new BatchWallet.Call[](2);
        calls[0] = BatchWallet.Call(address(usdt), abi.encodeCall(DevUsdt.mint, (address(wallet), 5)));
        calls[1] = BatchWallet.Call(address(usdt), abi.encodeCall(DevUsdt.transfer, (address(this), 2)));
        vm.expectRevert(abi.encodeWithSelector(ContractWallet.NotOwner.selector, address(this)));
        wallet.executeBatch(calls);
        vm.prank(owner);
        wallet.executeBatch(calls);
        vm.assertEq(usdt.balanceOf(address(wallet)), 3);

        calls[1] = BatchWallet.Call(address(usdt), abi.encodeCall(DevUsdt.transfer, (address(this), 9)));
        vm.prank(owner);
        vm.expectRevert();
        wallet.executeBatch(calls);
        vm.assertEq(usdt.balanceOf(address(wallet)), 3);
    }

    function testAWalletIsDeployedAtItsPredictedAddress() public {
        ContractWalletFactory factory = new ContractWalletFactory();
        address foretold = factory.predict(owner, "salt");
        vm.assertEq(foretold.code.length, 0);
        vm.assertEq(factory.deploy(owner, "salt"), foretold);
        vm.assertEq(factory.deploy(owner, "salt"), foretold);
        vm.assertEq(ContractWallet(payable(foretold)).owner(), owner);
    }

    function testTheHostileWalletsAreHostile() public {
        bytes memory signature = _signature();
        vm.assertTrue(SignatureChecker.isValidSignatureNow(address(new YesWallet()), "anything", ""));
        vm.assertFalse(SignatureChecker.isValidSignatureNow(address(new NoWallet()), hash, signature));
        (bool burned,) = address(new GasBurningWallet()).call{ gas: 100_000 }(
            abi.encodeCall(IERC1271.isValidSignature, (hash, signature))
        );
        vm.assertFalse(burned);
        (bool bombed, bytes memory answer) =
            address(new ReturnBombWallet()).call(abi.encodeCall(IERC1271.isValidSignature, (hash, signature)));
        vm.assertTrue(bombed);
        vm.assertEq(answer.length, 1 << 20);
    }

    // ─── Tokens ─────────────────────────────────────────────────────────────────────────────────────────────────────

    function testUsdtReturnsNothingAndRefusesToChangeAnAllowance() public {
        DevUsdt usdt = new DevUsdt();
        usdt.mint(address(this), 100);
        (bool done, bytes memory answer) = address(usdt).call(abi.encodeCall(DevUsdt.transfer, (owner, 1)));
        vm.assertTrue(done);
        vm.assertEq(answer.length, 0);
        usdt.approve(owner, 5);
        vm.expectRevert();
        usdt.approve(owner, 6);
        usdt.approve(owner, 0);
        usdt.approve(owner, 6);
        vm.prank(owner);
        usdt.transferFrom(address(this), owner, 4);
        vm.assertEq(usdt.allowance(address(this), owner), 2);
        vm.assertEq(usdt.balanceOf(owner), 5);
        vm.assertEq(uint256(usdt.decimals()), 6);
        vm.expectRevert();
        usdt.transfer(owner, 96);
    }

    function testUsdtKeepsAnUnlimitedAllowance() public {
        DevUsdt usdt = new DevUsdt();
        usdt.mint(address(this), 1);
        usdt.approve(owner, type(uint256).max);
        vm.prank(owner);
        usdt.transferFrom(address(this), owner, 1);
        vm.assertEq(usdt.allowance(address(this), owner), type(uint256).max);
    }

    function testWrappedBtcHasEightDecimals() public {
        DevWrappedBtc btc = new DevWrappedBtc();
        btc.mint(owner, 1e8);
        vm.assertEq(btc.balanceOf(owner), 1e8);
        vm.assertEq(uint256(btc.decimals()), 8);
    }

    // ─── Prices ─────────────────────────────────────────────────────────────────────────────────────────────────────

    function testAnAggregatorReturnsTheSetPriceAndItsTime() public {
        vm.warp(1_800_000_000);
        DevAggregator feed = new DevAggregator("BTC / USD", 8, 60_000e8);
        vm.warp(1_800_000_060);
        feed.setAnswer(61_000e8);
        (uint80 round, int256 answer,, uint256 updatedAt, uint80 answeredIn) = feed.latestRoundData();
        vm.assertEq(uint256(round), 2);
        vm.assertEq(answer, 61_000e8);
        vm.assertEq(updatedAt, 1_800_000_060);
        vm.assertEq(uint256(answeredIn), 2);
        feed.setAnswerAt(62_000e8, 1_700_000_000);
        (,,, updatedAt,) = feed.latestRoundData();
        vm.assertEq(updatedAt, 1_700_000_000);
        (, answer,,,) = feed.getRoundData(1);
        vm.assertEq(answer, 60_000e8);
        vm.expectRevert(DevAggregator.NoDataPresent.selector);
        feed.getRoundData(4);
        vm.assertEq(feed.description(), "BTC / USD");
    }
}
