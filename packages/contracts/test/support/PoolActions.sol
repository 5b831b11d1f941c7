// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import { BtnToken } from "../../src/BtnToken.sol";
import { PoolVault } from "../../src/PoolVault.sol";
import { DevWrappedBtc } from "../../src/dev/DevWrappedBtc.sol";
import { HostileToken } from "../../src/dev/HostileToken.sol";
import { Vm, bound, vm } from "./Vm.sol";
import { IERC20 } from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title Everything that members, operators, strangers and bad tokens do to a vault, in any order that the fuzzer chooses
/// @notice It keeps its own books, from the vault's events and nothing else: as the ledger does. What the books say and
/// what the chain holds are compared in `Invariants.t.sol`.
contract PoolActions {
    struct Movement {
        uint256 time;
        uint256 amount;
    }

    /// @dev For any one call; a token that burns gas without end would otherwise take a second of the fuzzer's time.
    uint256 private constant ENOUGH = 2_000_000;

    PoolVault public immutable vault;
    HostileToken public immutable usdt;
    BtnToken public immutable btn;
    DevWrappedBtc public immutable btc;

    address private immutable administrator;
    address private immutable guardian;
    address private immutable payer;
    address private immutable funder;
    uint256 private immutable quoteKey;

    address[3] private members = [address(0xA11CE), address(0xB0B), address(0xCA401)];

    // The books, by token.
    mapping(address token => uint256) public moneyIn;
    mapping(address token => uint256) public moneyOut;
    mapping(address token => uint256) public plainTransfers;
    mapping(address token => Movement[]) private _released;
    Movement[] private _burned;

    // What happened under each id, counted.
    mapping(bytes32 id => uint256) public timesReleased;
    mapping(bytes32 digest => uint256) public timesPaid;
    mapping(bytes32 evidence => uint256) public timesFunded;
    mapping(bytes32 id => uint256) public timesBurned;
    uint256 public mostTimes;
    uint256 public lies;

    /// @notice How often each thing came to pass: a run in which nothing does proves nothing.
    mapping(bytes32 topic => uint256) public seen;

    PoolVault.Quote[] private _quotes;
    uint256 private _nonce;

    constructor(PoolVault vault_, address[4] memory roles, uint256 quoteKey_) {
        vault = vault_;
        usdt = HostileToken(vault_.usdt());
        btn = BtnToken(vault_.btn());
        btc = DevWrappedBtc(vault_.btc());
        (administrator, guardian, payer, funder) = (roles[0], roles[1], roles[2], roles[3]);
        quoteKey = quoteKey_;
    }

    // ─── Members ────────────────────────────────────────────────────────────────────────────────────────────────────

    function deposit(uint256 who, uint256 which, uint256 amount) external {
        (address member, address token) = (_member(who), _token(which));
        amount = _endow(member, token, amount);
        vm.recordLogs();
        vm.prank(member);
        try vault.deposit{ gas: ENOUGH }(token, amount) { } catch { }
        _book();
    }

    function pay(uint256 who, uint256 which, uint256 amount) external {
        (address member, address token) = (_member(who), _token(which));
        amount = _endow(member, token, amount);
        _quotes.push(PoolVault.Quote(bytes32(++_nonce), member, token, amount, block.timestamp + 30 minutes));
        _pay(_quotes[_quotes.length - 1]);
    }

    /// @dev An old quote once more: spent, expired, or left over from a payment that failed.
    function payAgain(uint256 which) external {
        if (_quotes.length == 0) return;
        PoolVault.Quote memory quote = _quotes[which % _quotes.length];
        _endow(quote.payer, quote.token, quote.amount);
        _pay(quote);
    }

    function transferPlainly(uint256 who, uint256 which, uint256 amount) external {
        (address member, address token) = (_member(who), _token(which));
        amount = _endow(member, token, amount);
        uint256 before = IERC20(token).balanceOf(address(vault));
        vm.prank(member);
        try IERC20(token).transfer{ gas: ENOUGH }(address(vault), amount) { } catch { }
        plainTransfers[token] += IERC20(token).balanceOf(address(vault)) - before;
    }

    // ─── Operators ──────────────────────────────────────────────────────────────────────────────────────────────────

    function fundDividend(uint256 amount, uint8 evidence, uint8 dayOffset) external {
        amount = _endow(funder, address(btc), amount);
        uint32 day = uint32(block.timestamp / 1 days + (dayOffset % 11)) - 8;
        vm.recordLogs();
        vm.prank(funder);
        try vault.fundDividend{ gas: ENOUGH }(
            day, amount, PoolVault.BitcoinOutput(bytes32(uint256(evidence)), evidence % 3)
        ) { }
            catch { }
        _book();
    }

    function fundReserve(uint8 kind, uint256 amount) external {
        amount = _endow(funder, address(btn), amount);
        vm.recordLogs();
        vm.prank(funder);
        vault.fundReserve(PoolVault.ReserveKind(kind % 4), amount);
        _book();
    }

    function release(uint256[6] calldata ids, uint256[6] calldata amounts, uint256 seed) external {
        PoolVault.Payout[] memory payouts = new PoolVault.Payout[](6);
        for (uint256 i = 0; i < 6; ++i) {
            address to = (seed >> i) % 7 == 0 ? address(0) : _member(seed >> i);
            // Few ids, so that they come again; some amounts beyond cap and balance.
            payouts[i] = PoolVault.Payout(bytes32(ids[i] % 64), _token(seed >> (2 * i)), to, _amount(amounts[i]));
        }
        vm.recordLogs();
        vm.prank(payer);
        try vault.release{ gas: ENOUGH }(payouts) { } catch { }
        _book();
    }

    function burn(uint256 amount, uint256 id) external {
        vm.recordLogs();
        vm.prank(payer);
        try vault.burn{ gas: ENOUGH }(_amount(amount), bytes32(id % 16)) { } catch { }
        _book();
    }

    function moveToCold(uint256 which, uint256 amount) external {
        bytes memory call = abi.encodeCall(PoolVault.moveToCold, (_token(which), _amount(amount), vault.coldStorage()));
        vm.startPrank(administrator);
        vault.announce(call);
        vm.warp(block.timestamp + 2 days);
        vm.recordLogs();
        (bool ignored,) = address(vault).call{ gas: ENOUGH }(call);
        ignored;
        vm.stopPrank();
        _book();
    }

    function returnFromCold(uint256 which, uint256 amount) external {
        address token = _token(which);
        address cold = vault.coldStorage();
        if (_isMad(token)) return;
        amount = bound(amount, 0, IERC20(token).balanceOf(cold));
        uint256 before = IERC20(token).balanceOf(address(vault));
        vm.prank(cold);
        try IERC20(token).transfer{ gas: ENOUGH }(address(vault), amount) { } catch { }
        plainTransfers[token] += IERC20(token).balanceOf(address(vault)) - before;
    }

    function pauseOrGoOn(uint8 dice) external {
        vm.startPrank(guardian);
        if (vault.paused()) vault.unpause();
        else if (dice % 8 == 0) try vault.pause() { } catch { }
        vm.stopPrank();
    }

    // ─── The world ──────────────────────────────────────────────────────────────────────────────────────────────────

    function letTimePass(uint256 time) external {
        vm.warp(block.timestamp + bound(time, 1, 10 hours));
    }

    function turnTheTokenBad(uint8 behaviour, uint256 who) external {
        // One in two turns is back to good; hiding balances would blind this very contract.
        uint8 worst = uint8(HostileToken.Behaviour.RevertWith);
        usdt.behave(HostileToken.Behaviour(behaviour % 2 == 0 ? 0 : (behaviour / 2) % (worst + 1)), _member(who));
    }

    // ─── The books ──────────────────────────────────────────────────────────────────────────────────────────────────

    /// @notice The most that left within any 24 hours that end with a payout.
    function mostReleasedInADay(address token) external view returns (uint256) {
        return _mostInADay(_released[token]);
    }

    function mostBurnedInADay() external view returns (uint256) {
        return _mostInADay(_burned);
    }

    function burned() external view returns (uint256 sum) {
        for (uint256 i = 0; i < _burned.length; ++i) {
            sum += _burned[i].amount;
        }
    }

    function _mostInADay(Movement[] storage movements) private view returns (uint256 most) {
        for (uint256 i = 0; i < movements.length; ++i) {
            uint256 sum;
            for (uint256 j = i + 1; j > 0 && movements[j - 1].time + 24 hours > movements[i].time; --j) {
                sum += movements[j - 1].amount;
            }
            if (sum > most) most = sum;
        }
    }

    function _book() private {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i = 0; i < logs.length; ++i) {
            if (logs[i].emitter == address(vault)) _bookOne(logs, i);
        }
    }

    function _bookOne(Vm.Log[] memory logs, uint256 position) private {
        Vm.Log memory log = logs[position];
        bytes32 topic = log.topics[0];
        seen[topic] += 1;
        if (topic == PoolVault.Deposited.selector) {
            uint256 amount = abi.decode(log.data, (uint256));
            _in(_address(log.topics[2]), amount);
            _pair(logs, position, _address(log.topics[2]), _address(log.topics[1]), address(vault), amount);
        } else if (topic == PoolVault.Paid.selector) {
            (uint256 amount, bytes32 digest) = abi.decode(log.data, (uint256, bytes32));
            _in(_address(log.topics[3]), amount);
            _count(timesPaid, digest);
            _pair(logs, position, _address(log.topics[3]), _address(log.topics[2]), address(vault), amount);
        } else if (topic == PoolVault.DividendFunded.selector) {
            (uint32 index, address token, uint256 amount) = abi.decode(log.data, (uint32, address, uint256));
            _in(token, amount);
            _count(timesFunded, keccak256(abi.encode(log.topics[2], index)));
            _pair(logs, position, token, funder, address(vault), amount);
        } else if (topic == PoolVault.ReserveFunded.selector) {
            uint256 amount = abi.decode(log.data, (uint256));
            _in(_address(log.topics[3]), amount);
            _pair(logs, position, _address(log.topics[3]), funder, address(vault), amount);
        } else if (topic == PoolVault.PayoutReleased.selector) {
            uint256 amount = abi.decode(log.data, (uint256));
            address token = _address(log.topics[3]);
            moneyOut[token] += amount;
            _released[token].push(Movement(block.timestamp, amount));
            _count(timesReleased, log.topics[1]);
            _pair(logs, position, token, address(vault), _address(log.topics[2]), amount);
            if (!vault.isPayoutReleased(log.topics[1])) ++lies;
        } else if (topic == PoolVault.PayoutSkipped.selector) {
            // Unspent at that point: a twin further on in the batch may still be paid, one before it may not have been.
            if (timesReleased[log.topics[1]] != 0) ++lies;
        } else if (topic == PoolVault.PayoutRepeated.selector) {
            if (timesReleased[log.topics[1]] != 1) ++lies;
        } else if (topic == PoolVault.Burned.selector) {
            uint256 amount = abi.decode(log.data, (uint256));
            moneyOut[address(btn)] += amount;
            _burned.push(Movement(block.timestamp, amount));
            _count(timesBurned, log.topics[1]);
            _pair(logs, position, address(btn), address(vault), address(0), amount);
        } else if (topic == PoolVault.MovedToCold.selector) {
            (uint256 sent, uint256 arrived) = abi.decode(log.data, (uint256, uint256));
            moneyOut[_address(log.topics[1])] += sent;
            if (arrived > sent) ++lies;
        }
    }

    /// @dev As the watcher does: an event belongs to the nearest `Transfer` before it that is the same money and not yet
    /// another event's. A used one is struck out by taking its emitter.
    function _pair(Vm.Log[] memory logs, uint256 position, address token, address from, address to, uint256 amount)
        private
    {
        for (uint256 i = position; i > 0; --i) {
            Vm.Log memory log = logs[i - 1];
            if (
                log.emitter == token && log.topics[0] == IERC20.Transfer.selector && _address(log.topics[1]) == from
                    && _address(log.topics[2]) == to && abi.decode(log.data, (uint256)) == amount
            ) {
                log.emitter = address(0);
                return;
            }
        }
        ++lies;
    }

    function _in(address token, uint256 amount) private {
        moneyIn[token] += amount;
    }

    function _count(mapping(bytes32 => uint256) storage times, bytes32 id) private {
        times[id] += 1;
        if (times[id] > mostTimes) mostTimes = times[id];
    }

    // ─── Within ─────────────────────────────────────────────────────────────────────────────────────────────────────

    function _pay(PoolVault.Quote memory quote) private {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(quoteKey, vault.quoteDigest(quote));
        vm.recordLogs();
        vm.prank(quote.payer);
        try vault.pay{ gas: ENOUGH }(quote, abi.encodePacked(r, s, v)) { } catch { }
        _book();
    }

    function _member(uint256 seed) private view returns (address) {
        return members[seed % 3];
    }

    function _token(uint256 seed) private view returns (address) {
        return [address(usdt), address(btn), address(btc)][seed % 3];
    }

    /// @dev Small enough for many to fit under the caps, and now and then far too large.
    function _amount(uint256 seed) private pure returns (uint256) {
        return seed % 16 == 0 ? seed : bound(seed, 0, 500);
    }

    /// @dev Gives the holder what it is about to spend, and the allowance for it.
    function _endow(address holder, address token, uint256 amount) private returns (uint256) {
        amount = bound(amount, 1, 1000);
        if (token == address(usdt)) usdt.mint(holder, amount);
        else if (token == address(btc)) btc.mint(holder, amount);
        else btn.transfer(holder, amount);
        vm.prank(holder);
        IERC20(token).approve(address(vault), amount);
        return amount;
    }

    function _isMad(address token) private view returns (bool) {
        return token == address(usdt) && usdt.behaviour() != HostileToken.Behaviour.Honest;
    }

    function _address(bytes32 topic) private pure returns (address) {
        return address(uint160(uint256(topic)));
    }
}
