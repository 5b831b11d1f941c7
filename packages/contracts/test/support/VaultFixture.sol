// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import { BtnToken } from "../../src/BtnToken.sol";
import { PoolVault } from "../../src/PoolVault.sol";
import { DevUsdt } from "../../src/dev/DevUsdt.sol";
import { DevWrappedBtc } from "../../src/dev/DevWrappedBtc.sol";
import { Vm, vm } from "./Vm.sol";
import { IAccessControl } from "@openzeppelin/contracts/access/IAccessControl.sol";
import { IERC20 } from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title A vault with its tokens, a key for every role, and two members with money
abstract contract VaultFixture {
    uint256 internal constant NOW = 1_800_000_000; // 2027-01-15 08:00:00 UTC, day 20,833
    uint32 internal constant TODAY = 20_833;

    uint208 internal constant USDT_CAP = 50_000e6;
    uint208 internal constant BTN_CAP = 5_000_000e18;
    uint208 internal constant BTC_CAP = 2e8;
    uint208 internal constant BURN_CAP = 1_000_000e18;

    address internal immutable administrator = _actor("administrator");
    address internal immutable guardian = _actor("guardian");
    address internal immutable secondGuardian = _actor("second guardian");
    address internal immutable payer = _actor("payer");
    address internal immutable funder = _actor("funder");
    address internal immutable cold = _actor("cold");
    address internal immutable stranger = _actor("stranger");
    address internal immutable bob = _actor("bob");

    uint256 internal constant QUOTE_KEY = uint256(keccak256("quote key"));
    uint256 internal constant ALICE_KEY = uint256(keccak256("alice"));
    address internal immutable quoteSigner = vm.addr(QUOTE_KEY);
    address internal immutable alice = vm.addr(ALICE_KEY);

    DevUsdt internal usdt;
    BtnToken internal btn;
    DevWrappedBtc internal btc;
    PoolVault internal vault;

    function setUp() public virtual {
        vm.warp(NOW);
        usdt = new DevUsdt();
        btn = new BtnToken(funder);
        btc = new DevWrappedBtc();
        vault = new PoolVault(_setup(address(usdt), address(btn), address(btc)));

        usdt.mint(alice, 10_000e6);
        btc.mint(alice, 1e8);
        btc.mint(funder, 100e8);
        vm.startPrank(funder);
        btn.transfer(alice, 100_000e18);
        btn.approve(address(vault), type(uint256).max);
        btc.approve(address(vault), type(uint256).max);
        vm.stopPrank();
    }

    function _setup(address usdt_, address btn_, address btc_) internal view returns (PoolVault.Setup memory) {
        return PoolVault.Setup({
            predecessor: PoolVault(address(0)),
            usdt: usdt_,
            btn: btn_,
            btc: btc_,
            administrator: administrator,
            guardian: guardian,
            secondGuardian: secondGuardian,
            payer: payer,
            funder: funder,
            quoteSigner: quoteSigner,
            coldStorage: cold,
            usdtPayoutCap: USDT_CAP,
            btnPayoutCap: BTN_CAP,
            btcPayoutCap: BTC_CAP,
            burnCap: BURN_CAP
        });
    }

    // ─── Quotes ─────────────────────────────────────────────────────────────────────────────────────────────────────

    function _quote(bytes32 orderId, address token, uint256 amount) internal view returns (PoolVault.Quote memory) {
        return PoolVault.Quote(orderId, alice, token, amount, block.timestamp + 30 minutes);
    }

    function _signed(PoolVault.Quote memory quote) internal view returns (bytes memory) {
        return _signedBy(QUOTE_KEY, quote);
    }

    function _signedBy(uint256 key, PoolVault.Quote memory quote) internal view returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, vault.quoteDigest(quote));
        return abi.encodePacked(r, s, v);
    }

    /// @dev An EIP-2612 permit by alice for the vault.
    function _permit(BtnToken token, uint256 amount, uint256 deadline)
        internal
        view
        returns (PoolVault.Permit memory permit)
    {
        bytes32 typehash =
            keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
        bytes32 terms = keccak256(abi.encode(typehash, alice, address(vault), amount, token.nonces(alice), deadline));
        bytes32 digest = keccak256(abi.encodePacked("\x19\x01", token.DOMAIN_SEPARATOR(), terms));
        permit.deadline = deadline;
        (permit.v, permit.r, permit.s) = vm.sign(ALICE_KEY, digest);
    }

    /// @dev The token's `approve` may return nothing, so it is called by hand.
    function _approve(address holder, address token, uint256 amount) internal {
        vm.prank(holder);
        (bool done,) = token.call(abi.encodeCall(IERC20.approve, (address(vault), amount)));
        vm.assertTrue(done, "approve");
    }

    function _deposit(address holder, address token, uint256 amount) internal {
        _approve(holder, token, amount);
        vm.prank(holder);
        vault.deposit(token, amount);
    }

    // ─── Payouts ────────────────────────────────────────────────────────────────────────────────────────────────────

    function _payout(uint256 id, address token, address to, uint256 amount)
        internal
        pure
        returns (PoolVault.Payout memory)
    {
        return PoolVault.Payout(bytes32(id), token, to, amount);
    }

    function _release(PoolVault.Payout memory payout) internal {
        PoolVault.Payout[] memory payouts = new PoolVault.Payout[](1);
        payouts[0] = payout;
        _release(payouts);
    }

    function _release(PoolVault.Payout[] memory payouts) internal {
        vm.prank(payer);
        vault.release(payouts);
    }

    function _expectReleased(PoolVault.Payout memory payout) internal {
        vm.expectEmit(address(vault));
        emit PoolVault.PayoutReleased(payout.id, payout.to, payout.token, payout.amount);
    }

    function _expectSkipped(uint256 id, PoolVault.Outcome reason) internal {
        vm.expectEmit(address(vault));
        emit PoolVault.PayoutSkipped(bytes32(id), reason);
    }

    // ─── Administration ─────────────────────────────────────────────────────────────────────────────────────────────

    /// @dev Announces a call, lets the notice pass and makes it.
    function _announceAndDo(bytes memory call) internal {
        vm.startPrank(administrator);
        vault.announce(call);
        vm.warp(block.timestamp + vault.NOTICE());
        (bool done, bytes memory answer) = address(vault).call(call);
        vm.stopPrank();
        vm.assertTrue(done, string(answer));
    }

    /// @dev The account accepts the role, and gets it after the notice.
    function _grant(bytes32 role, address account) internal {
        vm.prank(account);
        vault.acceptRole(role);
        _announceAndDo(abi.encodeCall(vault.grantRole, (role, account)));
    }

    function _expectLacksRole(address account, bytes32 role) internal {
        vm.expectRevert(abi.encodeWithSelector(IAccessControl.AccessControlUnauthorizedAccount.selector, account, role));
    }

    function _actor(string memory name) private returns (address actor) {
        actor = vm.addr(uint256(keccak256(bytes(name))));
        vm.label(actor, name);
    }
}
