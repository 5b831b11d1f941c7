// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import { BtnToken } from "../src/BtnToken.sol";
import { bound, vm } from "./support/Vm.sol";

contract BtnTokenTest {
    BtnToken private btn;
    address private constant BOB = address(0xB0B);

    function setUp() public {
        btn = new BtnToken(address(this));
    }

    function testTheWholeIssuanceIsMintedAtDeployment() public view {
        vm.assertEq(btn.totalSupply(), 1_000_000_000e18);
        vm.assertEq(btn.cap(), 1_000_000_000e18);
        vm.assertEq(btn.balanceOf(address(this)), 1_000_000_000e18);
        vm.assertEq(btn.symbol(), "BTN");
        vm.assertEq(uint256(btn.decimals()), 18);
    }

    function testBurningLowersTheSupplyPermanently(uint256 amount) public {
        amount = bound(amount, 0, btn.cap());
        btn.burn(amount);
        vm.assertEq(btn.totalSupply(), btn.cap() - amount);
    }

    function testNobodyCanMintMore() public {
        string[4] memory makers =
            ["mint(address,uint256)", "mint(uint256)", "issue(uint256)", "increaseSupply(uint256)"];
        for (uint256 i = 0; i < makers.length; ++i) {
            (bool done,) = address(btn).call(abi.encodeWithSignature(makers[i], address(this), 1));
            vm.assertFalse(done);
        }
    }

    function testAnothersTokensAreBurnedOnlyWithAnAllowance() public {
        btn.transfer(BOB, 5);
        vm.expectRevert();
        btn.burnFrom(BOB, 5);
        vm.prank(BOB);
        btn.approve(address(this), 5);
        btn.burnFrom(BOB, 5);
        vm.assertEq(btn.balanceOf(BOB), 0);
    }
}
