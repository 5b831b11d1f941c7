// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import { BtnToken } from "../src/BtnToken.sol";
import { PoolVault } from "../src/PoolVault.sol";
import { DevWrappedBtc } from "../src/dev/DevWrappedBtc.sol";
import { HostileToken } from "../src/dev/HostileToken.sol";
import { PoolActions } from "./support/PoolActions.sol";
import { VaultFixture } from "./support/VaultFixture.sol";
import { vm } from "./support/Vm.sol";
import { IERC20 } from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title Invariants that hold for any sequence of actions
contract InvariantsTest is VaultFixture {
    uint208 private constant CAP = 600;

    PoolActions private actions;

    function setUp() public override {
        vm.warp(NOW);
        HostileToken token = new HostileToken();
        btn = new BtnToken(address(this));
        btc = new DevWrappedBtc();
        PoolVault.Setup memory setup = _setup(address(token), address(btn), address(btc));
        (setup.usdtPayoutCap, setup.btnPayoutCap, setup.btcPayoutCap, setup.burnCap) = (CAP, CAP, CAP, CAP / 4);
        vault = new PoolVault(setup);
        actions = new PoolActions(vault, [administrator, guardian, payer, funder], QUOTE_KEY);
        btn.transfer(address(actions), btn.cap());
    }

    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(actions);
    }

    /// @dev One function, for each would be a campaign of its own: the same calls, run six times over.
    function invariant_TheLedgerAndTheChainAgree() public view {
        address[3] memory tokens = [vault.usdt(), vault.btn(), vault.btc()];
        for (uint256 i = 0; i < tokens.length; ++i) {
            address token = tokens[i];
            uint256 held = actions.moneyIn(token) + actions.plainTransfers(token) - actions.moneyOut(token);
            vm.assertEq(IERC20(token).balanceOf(address(vault)), held, "what came in, less what went out, is held");
            vm.assertLe(actions.mostReleasedInADay(token), CAP, "no 24 hours see more leave than the cap");
        }
        vm.assertLe(actions.mostBurnedInADay(), CAP / 4, "no 24 hours see more burned than the cap");
        vm.assertEq(btn.cap() - btn.totalSupply(), actions.burned(), "what was burned is gone, and nothing else is");
        vm.assertLe(actions.mostTimes(), 1, "no payout, quote, evidence or burn counts twice");
        vm.assertEq(actions.lies(), 0, "every event follows its Transfer, and what it says of an id is so");
    }

    /// @dev A campaign in which nothing happens proves nothing: each action does what it is there for.
    function testTheActionsCauseEveryEventOfTheVault() public {
        uint256[6] memory ids = [uint256(1), 1, 2, 3, 4, 5];
        uint256[6] memory amounts = [uint256(10), 10, 10, 501, 16, 10];
        actions.deposit(0, 0, 999);
        actions.pay(0, 1, 999);
        actions.fundDividend(999, 1, 8);
        actions.fundReserve(0, 999);
        actions.release(ids, amounts, 1);
        actions.burn(10, 1);
        actions.moveToCold(0, 10);
        bytes32[8] memory topics = [
            PoolVault.Deposited.selector,
            PoolVault.Paid.selector,
            PoolVault.DividendFunded.selector,
            PoolVault.ReserveFunded.selector,
            PoolVault.PayoutReleased.selector,
            PoolVault.PayoutRepeated.selector,
            PoolVault.Burned.selector,
            PoolVault.MovedToCold.selector
        ];
        for (uint256 i = 0; i < topics.length; ++i) {
            vm.assertGt(actions.seen(topics[i]), 0);
        }
        actions.turnTheTokenBad(7, 0);
        actions.release([uint256(9), 10, 11, 12, 13, 14], amounts, 0);
        vm.assertGt(actions.seen(PoolVault.PayoutSkipped.selector), 0);
        invariant_TheLedgerAndTheChainAgree();
    }
}
