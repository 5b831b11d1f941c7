// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import { PoolVault } from "../src/PoolVault.sol";
import { HostileAdministrator, HostileBeforeTheMove } from "./support/HostileAdministrator.sol";
import { VaultFixture } from "./support/VaultFixture.sol";
import { vm } from "./support/Vm.sol";
import { IERC20 } from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title What both campaigns share: a vault with money, and what must hold whatever the thief does
abstract contract HostileCampaign is VaultFixture {
    uint256 internal constant HELD = 1_000_000;

    HostileAdministrator internal hostile;

    function setUp() public virtual override {
        super.setUp();
        vault = new PoolVault(_smallCaps());
        usdt.mint(address(vault), HELD);
        btc.mint(address(vault), HELD);
        vm.prank(funder);
        btn.transfer(address(vault), HELD);
    }

    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(hostile);
    }

    function excludeSelectors() public view returns (FuzzSelector[] memory excluded) {
        excluded = new FuzzSelector[](1);
        excluded[0].addr = address(hostile);
        excluded[0].selectors = new bytes4[](1);
        excluded[0].selectors[0] = hostile.letTheGuardianSleep.selector;
    }

    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    function _smallCaps() internal view returns (PoolVault.Setup memory setup) {
        setup = _setup(address(usdt), address(btn), address(btc));
        (setup.usdtPayoutCap, setup.btnPayoutCap, setup.btcPayoutCap, setup.burnCap) = (5000, 4000, 3000, 1000);
    }

    /// @dev A vault of the thief's, which follows the given one.
    function _falseSuccessor(PoolVault before) internal returns (PoolVault) {
        PoolVault.Setup memory setup = _smallCaps();
        setup.predecessor = before;
        setup.administrator = stranger;
        return new PoolVault(setup);
    }

    function _people() internal view returns (address[6] memory) {
        return [administrator, guardian, secondGuardian, payer, bob, stranger];
    }

    function _checkThatTheThiefHasNothing() internal view {
        PoolVault target = hostile.vault();
        address[3] memory tokens = [target.usdt(), target.btn(), target.btc()];
        for (uint256 i = 0; i < tokens.length; ++i) {
            IERC20 token = IERC20(tokens[i]);
            uint256 held = token.balanceOf(address(target)) + token.balanceOf(address(target.predecessor()));
            vm.assertEq(held + hostile.paid(tokens[i]), HELD, "nothing else left");
            vm.assertEq(token.balanceOf(stranger), 0, "the thief has nothing");
            vm.assertEq(token.balanceOf(cold), 0, "nothing went to cold storage");
        }
        vm.assertTrue(target.hasRole(target.GUARDIAN_ROLE(), guardian), "the guardian is still one");
        vm.assertEq(target.administrator(), administrator);
        vm.assertEq(target.coldStorage(), cold);
        vm.assertEq(target.successor(), address(0));
    }
}

/// @title A stolen administrator takes nothing from a vault whose guardian looks once a day
contract HostileInvariantsTest is HostileCampaign {
    function setUp() public override {
        super.setUp();
        // An agreement that the administrator did not use in time.
        vm.prank(secondGuardian);
        vault.agreeToDismissal(guardian);
        vm.warp(block.timestamp + 2 days + 1);
        hostile = new HostileAdministrator(vault, _falseSuccessor(vault), _people());
    }

    /// forge-config: default.invariant.runs = 50
    /// forge-config: default.invariant.depth = 80
    /// forge-config: deep.invariant.runs = 10000
    /// forge-config: deep.invariant.depth = 100
    function invariant_NothingLeavesButTheSignersPayouts() public view {
        _checkThatTheThiefHasNothing();
    }

    /// @dev The same thief takes the money if no guardian looks: so the campaign does try what would work.
    function testTheThiefTakesTheMoneyIfNoGuardianLooks() public {
        hostile.letTheGuardianSleep();
        hostile.accept(0);
        hostile.announceEverything(0);
        for (uint256 i = 0; i < 3; ++i) {
            hostile.letTimePass(20 hours - 1, false);
        }
        hostile.act(0, 0, 1);
        hostile.payOneself(0, 999, false);
        vm.assertEq(usdt.balanceOf(stranger), 1000);
        hostile.act(6, 0, 1);
        vm.assertEq(usdt.balanceOf(cold), 0); // what is left is less than what was announced
        hostile.act(6, 1, 1);
        hostile.announce(6, 2, 1);
        for (uint256 i = 0; i < 3; ++i) {
            hostile.letTimePass(20 hours - 1, false);
        }
        hostile.act(6, 2, 1);
        vm.assertEq(btc.balanceOf(cold), HELD);
    }

    function testTheSignerPaysMembersWhileTheThiefTries() public {
        hostile.announceEverything(0);
        hostile.payAMember(0, 99);
        vm.assertEq(hostile.paid(address(usdt)), 100);
        hostile.letTimePass(20 hours - 1, true);
        hostile.letTimePass(20 hours - 1, true);
        hostile.actOnEverything(0);
        hostile.letTimePass(20 hours - 1, true);
        hostile.letTimePass(20 hours - 1, true);
        vm.assertTrue(vault.paused()); // nothing was announced any more, so the guardian paused
        _checkThatTheThiefHasNothing();
    }
}

/// @title A stolen administrator takes nothing from a next vault, at which nobody looks before the money is there
contract HostileNextVaultTest is HostileCampaign {
    HostileBeforeTheMove private campaign;
    PoolVault private old;

    function setUp() public override {
        super.setUp();
        old = vault;
        PoolVault.Setup memory setup = _smallCaps();
        setup.predecessor = old;
        PoolVault next = new PoolVault(setup);
        vm.startPrank(administrator);
        old.announce(abi.encodeCall(PoolVault.moveTo, (address(next), address(usdt))));
        old.announce(abi.encodeCall(PoolVault.moveTo, (address(next), address(btn))));
        old.announce(abi.encodeCall(PoolVault.moveTo, (address(next), address(btc))));
        vm.stopPrank();
        campaign = new HostileBeforeTheMove(next, _falseSuccessor(next), _people());
        hostile = campaign;
    }

    /// forge-config: default.invariant.runs = 50
    /// forge-config: default.invariant.depth = 80
    /// forge-config: deep.invariant.runs = 10000
    /// forge-config: deep.invariant.depth = 100
    function invariant_NothingLeavesTheNextVaultButTheSignersPayouts() public view {
        _checkThatTheThiefHasNothing();
    }

    function testTheThiefGetsNothingByWhatItAnnouncedBeforeTheMove() public {
        hostile.accept(0);
        hostile.announceEverything(0);
        for (uint256 i = 0; i < 3; ++i) {
            hostile.letTimePass(20 hours - 1, false);
        }
        campaign.moveTheMoney();
        vm.assertEq(old.successor(), address(hostile.vault()));
        hostile.actOnEverything(0);
        hostile.payOneself(0, 999, false);
        _checkThatTheThiefHasNothing();
        hostile.payAMember(0, 99);
        vm.assertEq(hostile.paid(address(usdt)), 100);
    }
}
