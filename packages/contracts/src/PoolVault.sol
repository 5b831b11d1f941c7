// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import { AcceptedRoles } from "./internal/AcceptedRoles.sol";
import { ExpiringPause } from "./internal/ExpiringPause.sol";
import { IERC20 } from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import { ERC20Burnable } from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Burnable.sol";
import { IERC20Permit } from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import { SafeERC20 } from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import { RateLimiter } from "@openzeppelin/contracts/utils/RateLimiter.sol";
import { ReentrancyGuardTransient } from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import { ECDSA } from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import { EIP712 } from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";

/// @title The pool's vault
/// @notice Takes what members pay and deposit, holds it, and lets it out again under caps. It knows three tokens, chosen
/// for ever when it is made, keeps no balances of members (those are in the ledger, which follows the events below) and
/// cannot be upgraded.
///
///      members ── pay, deposit ────┐                      ┌── release ──▶ receivers  payer; capped, pausable
///                                  ▼                      │
///      funder ─── fundDividend ─▶ ┌────────────────────────┐ ── burn ───▶ nobody     payer; capped, pausable
///                 fundReserve  ─▶ │       the vault        │
///      anybody ── plain transfer▶ └────────────────────────┘ ── moveToCold ▶ cold    administrator; announced
///                                                             ── moveTo ─▶ next vault  administrator; announced
///
/// Those four arrows are the only ways out for the three tokens. The keys and what each can do when stolen:
///
///      quote key      sign quotes, which only let their payer pay in. The ledger takes a payment that no order
///                     matches for a deposit, so a forged quote wins nothing.
///      payer          let out, or burn, as much as the caps allow in any 24 hours, until a guardian pauses or the
///                     administrator dismisses it.
///      funder         give its own money away. It can also name Bitcoin outputs that the pool still needs; each
///                     can be named once, and the event shows who named it.
///      guardian       pause for seven days out of fourteen and hold up the administrator, until the administrator
///                     and another guardian dismiss it.
///      administrator  at once: stop payouts, by dismissing the payer or lowering caps, and payments, by changing the
///                     quote key. After two days' notice everything, unless a guardian withdraws the notice. A
///                     guardian who looks once a day withdraws all of them, so the thief then takes nothing. But the
///                     standstill lasts until the pool has the key back, and for ever if it does not get it back:
///                     nobody else can grant a role, raise a cap or move the money.
///
/// Every event about money comes after the token's own `Transfer` of the same token, account and amount, in the same
/// transaction: so a watcher pairs it with the nearest one before it, and what is left over is a plain transfer. Only
/// the amounts of `MovedToCold` can differ from the `Transfer`, if the token took a fee.
contract PoolVault is EIP712, ReentrancyGuardTransient, ExpiringPause {
    using RateLimiter for RateLimiter.SlidingWindow;
    using SafeERC20 for IERC20;

    // ─── What is said to the vault ──────────────────────────────────────────────────────────────────────────────────

    /// @notice How the vault is made. All but the tokens and the predecessor can be changed later.
    struct Setup {
        PoolVault predecessor; // the vault that this one follows, or zero
        address usdt;
        address btn; // has `burn`
        address btc;
        address administrator;
        address guardian;
        address secondGuardian; // so that either one can be dismissed if it is stolen
        address payer;
        address funder;
        address quoteSigner;
        address coldStorage;
        uint208 usdtPayoutCap;
        uint208 btnPayoutCap;
        uint208 btcPayoutCap;
        uint208 burnCap;
    }

    /// @notice The terms of one order, signed by the quote key.
    struct Quote {
        bytes32 orderId;
        address payer;
        address token;
        uint256 amount;
        uint256 deadline;
    }

    /// @notice An EIP-2612 permit. Its owner, spender and value are not said: they follow from the call it comes with.
    struct Permit {
        uint256 deadline;
        uint8 v;
        bytes32 r;
        bytes32 s;
    }

    /// @notice An output of a Bitcoin transaction: the mining payout that a dividend passes on.
    struct BitcoinOutput {
        bytes32 txid; // in the byte order in which block explorers print it
        uint32 index;
    }

    enum ReserveKind {
        Airdrop,
        Promotion,
        Liquidity,
        Mining
    }

    struct Payout {
        bytes32 id;
        address token;
        address to;
        uint256 amount;
    }

    /// @notice What became of a payout. `Token`: the token refused, used up the payout's gas or did not move the exact
    /// amount, or the payout itself is not allowed (another token, no amount, a receiver that must not be paid).
    enum Outcome {
        Released,
        Cap,
        Balance,
        Token
    }

    // ─── What the vault says ────────────────────────────────────────────────────────────────────────────────────────

    event Paid(bytes32 indexed orderId, address indexed payer, address indexed token, uint256 amount, bytes32 digest);
    event Deposited(address indexed from, address indexed token, uint256 amount);
    event DividendFunded(
        uint32 indexed day,
        bytes32 indexed txid,
        address indexed funder,
        uint32 outputIndex,
        address token,
        uint256 amount
    );
    event ReserveFunded(ReserveKind indexed kind, address indexed funder, address indexed token, uint256 amount);
    event PayoutReleased(bytes32 indexed id, address indexed to, address indexed token, uint256 amount);

    /// @notice Not paid, and `id` is unspent: it can be tried again.
    event PayoutSkipped(bytes32 indexed id, Outcome reason);

    /// @notice Not paid because it was paid before: an earlier `PayoutReleased` has this id. It is not a `PayoutSkipped`,
    /// because the server tries a skipped payout again, and after a second `Token` returns the money: it would return
    /// money that was already paid.
    event PayoutRepeated(bytes32 indexed id);
    event Burned(bytes32 indexed burnId, address indexed token, uint256 amount);

    /// @notice `arrived` is less than `sent` only if the token took a fee.
    event MovedToCold(address indexed token, address indexed coldStorage, uint256 sent, uint256 arrived);

    /// @notice The whole balance of a token went to the next vault. From the first of these on, this vault only moves.
    event MovedToSuccessor(address indexed token, address indexed successor, uint256 sent, uint256 arrived);

    /// @notice The Bitcoin output can be named once more, because it was named by mistake.
    event EvidenceReinstated(bytes32 indexed txid, uint32 indexed index);
    event QuoteSignerChanged(address indexed previous, address indexed current);
    event ColdStorageChanged(address indexed previous, address indexed current);
    event PayoutCapChanged(address indexed token, uint256 previous, uint256 current);
    event BurnCapChanged(uint256 previous, uint256 current);
    event PayoutGasChanged(uint256 previous, uint256 current);
    event Rescued(address indexed token, address indexed to, uint256 amount);

    error BadSetup();
    error NotAPoolToken(address token);
    error ZeroAmount();
    error Inexact(address token, address holder, uint256 expected, uint256 actual);
    error NotThePayer(address payer, address caller);
    error QuoteExpired(uint256 deadline);
    error QuoteSpent(bytes32 digest);
    error QuoteNotSigned(bytes32 digest);
    error DayOutOfRange(uint32 day, uint256 today);
    error NoEvidence();
    error EvidenceUsed(bytes32 txid, uint32 index);
    error CustodyCannotFund(address account);
    error BadBatchSize(uint256 size);
    error OutOfPayoutGas(bytes32 payoutId);
    error OnlyTheVaultItself();
    error BadReceiver(address to);
    error BurnIdSpent(bytes32 burnId);
    error BadColdStorage(address coldStorage);
    error ColdStorageIsNow(address coldStorage);
    error BadPayoutGas(uint32 payoutGas);
    error PoolTokenCannotBeRescued(address token);
    error BadOutputIndex(uint32 index);
    error EvidenceUnused(bytes32 txid, uint32 index);
    error BadSuccessor(address successor);
    error MovedOn(address successor);
    error PredecessorHasNotMoved();

    // ─── What the vault knows ───────────────────────────────────────────────────────────────────────────────────────

    bytes32 public constant PAYER_ROLE = keccak256("PAYER");
    bytes32 public constant FUNDER_ROLE = keccak256("FUNDER");

    bytes32 public constant QUOTE_TYPEHASH =
        keccak256("Quote(bytes32 orderId,address payer,address token,uint256 amount,uint256 deadline)");

    /// @notice How many payouts one `release` may carry.
    uint256 public constant MAX_PAYOUTS = 100;

    /// @notice The least that `payoutGas` can be. The dearest payout of a plain token, the very first, takes 106,000; a
    /// hundred that burn 150,000 each stay within the 16.7 million that a transaction may use on mainnet.
    uint32 public constant MIN_PAYOUT_GAS = 150_000;

    /// @notice The most that `payoutGas` can be: a batch of ten still fits into a transaction.
    uint32 public constant MAX_PAYOUT_GAS = 1_000_000;

    /// @notice The index of a Bitcoin output is below this. A block has room for no more outputs: each takes 9 bytes, of
    /// a million at most.
    uint32 public constant MAX_OUTPUTS = 111_111;

    /// @dev Each limit is a limiter of its own, with one entry.
    bytes32 private constant THE_ENTRY = 0;

    /// @dev A cap holds in any 24 hours, (t − 24 h, t], not from midnight to midnight: two days' worth cannot leave around
    /// 00:00.
    uint48 private constant CAP_WINDOW = 24 hours;

    /// @notice The vault before this one, or zero. What was paid, burned or named as evidence there counts here too.
    PoolVault public immutable predecessor;

    address public immutable usdt;
    address public immutable btn;
    address public immutable btc;

    /// @notice The vault that the money moved to, or zero. It stands next to the times of the pause, in one storage slot.
    address public successor;

    /// @notice Whose signature makes a quote. The zero address signs nothing: no order can be paid then.
    address public quoteSigner;
    address public coldStorage;

    /// @notice Whether the address is, or ever was, the cold one. Such an address never funds.
    mapping(address => bool) public wasColdStorage;

    /// @notice The gas that one payout gets, never more and never less: see the comment of `release`. It can be raised,
    /// because a hard fork or a new version of a token can make transfers need more gas.
    uint32 public payoutGas = MIN_PAYOUT_GAS;

    mapping(bytes32 digest => bool) public isQuoteSpent;
    mapping(bytes32 payoutId => bool) private _isPayoutReleased;
    mapping(bytes32 burnId => bool) private _isBurnDone;
    mapping(bytes32 txid => mapping(uint32 index => bool)) private _isEvidenceUsed;

    mapping(address token => RateLimiter.SlidingWindow) private _payoutLimit;
    RateLimiter.SlidingWindow private _burnLimit;

    /// @dev `nonReentrant` makes the deployment fail on a chain without transient storage (EIP-1153), where no payment
    /// could work either.
    constructor(Setup memory setup) AcceptedRoles(setup.administrator) EIP712("Lode PoolVault", "1") nonReentrant {
        require(setup.administrator != address(0) && setup.guardian != setup.secondGuardian, BadSetup());
        require(setup.guardian != address(0) && setup.secondGuardian != address(0), BadSetup());
        require(setup.usdt != setup.btn && setup.btn != setup.btc && setup.btc != setup.usdt, BadSetup());
        require(setup.usdt.code.length > 0, BadSetup());
        require(setup.btn.code.length > 0, BadSetup());
        require(setup.btc.code.length > 0, BadSetup());
        usdt = setup.usdt;
        btn = setup.btn;
        btc = setup.btc;
        predecessor = setup.predecessor;
        require(address(predecessor) == address(0) || _hasTheSameTokens(predecessor), BadSetup());

        _grantRole(GUARDIAN_ROLE, setup.guardian);
        _grantRole(GUARDIAN_ROLE, setup.secondGuardian);
        _grantRole(PAYER_ROLE, setup.payer);
        _grantRole(FUNDER_ROLE, setup.funder);
        _setQuoteSigner(setup.quoteSigner);
        _setColdStorage(setup.coldStorage);
        _setPayoutCap(setup.usdt, setup.usdtPayoutCap);
        _setPayoutCap(setup.btn, setup.btnPayoutCap);
        _setPayoutCap(setup.btc, setup.btcPayoutCap);
        _setBurnCap(setup.burnCap);
    }

    /// @dev The vault before this one does not ask here. So as long as it can still pay, burn or take evidence, this one
    /// does not, or one id could count in both.
    modifier afterPredecessor() {
        require(!_hasPredecessor() || predecessor.successor() == address(this), PredecessorHasNotMoved());
        _;
    }

    // ─── Money in: members ──────────────────────────────────────────────────────────────────────────────────────────

    /// @notice Pays an order once, with its exact amount, from its payer, up to and including its deadline.
    /// @dev So an order closes when a final block is later than the deadline and no `Paid` came: nothing else ends it.
    function pay(Quote calldata quote, bytes calldata signature) external nonReentrant whenNotPaused {
        bytes32 digest = _spendQuote(quote, signature);
        _take(quote.token, quote.amount);
        emit Paid(quote.orderId, quote.payer, quote.token, quote.amount, digest);
    }

    /// @notice `pay` without an approval before it, for tokens that know permits.
    function payWithPermit(Quote calldata quote, bytes calldata signature, Permit calldata permit)
        external
        nonReentrant
        whenNotPaused
    {
        bytes32 digest = _spendQuote(quote, signature);
        _tryPermit(quote.token, quote.amount, permit);
        _take(quote.token, quote.amount);
        emit Paid(quote.orderId, quote.payer, quote.token, quote.amount, digest);
    }

    /// @notice Adds to the caller's own balance in the pool.
    function deposit(address token, uint256 amount) external nonReentrant whenNotPaused {
        _take(token, amount);
        emit Deposited(msg.sender, token, amount);
    }

    /// @notice `deposit` without an approval before it, for tokens that know permits.
    function depositWithPermit(address token, uint256 amount, Permit calldata permit)
        external
        nonReentrant
        whenNotPaused
    {
        _tryPermit(token, amount, permit);
        _take(token, amount);
        emit Deposited(msg.sender, token, amount);
    }

    /// @notice What the quote key signs, and by which `isQuoteSpent` answers.
    function quoteDigest(Quote calldata quote) public view returns (bytes32) {
        return _hashTypedDataV4(
            keccak256(abi.encode(QUOTE_TYPEHASH, quote.orderId, quote.payer, quote.token, quote.amount, quote.deadline))
        );
    }

    // ─── Money in: the pool ─────────────────────────────────────────────────────────────────────────────────────────

    /// @notice Brings a day's dividend from the caller's own account, with the mining payout that it passes on.
    /// @dev The chain cannot know that the payout came from mining. It does ensure that none is passed on twice.
    /// @param day The UTC day number, from a week ago to tomorrow.
    function fundDividend(uint32 day, uint256 amount, BitcoinOutput calldata evidence)
        external
        nonReentrant
        onlyRole(FUNDER_ROLE)
        afterPredecessor
    {
        uint256 today = block.timestamp / 1 days;
        require(day <= today + 1 && today <= uint256(day) + 7, DayOutOfRange(day, today));
        require(evidence.txid != 0, NoEvidence());
        require(evidence.index < MAX_OUTPUTS, BadOutputIndex(evidence.index));
        require(!isEvidenceUsed(evidence.txid, evidence.index), EvidenceUsed(evidence.txid, evidence.index));
        _isEvidenceUsed[_inOneOrder(evidence.txid)][evidence.index] = true;
        _takeFunding(btc, amount);
        emit DividendFunded(day, evidence.txid, msg.sender, evidence.index, btc, amount);
    }

    /// @notice Lets an output be named once more, when it was used up by mistake: with a wrong amount, or by a thief of the
    /// funder's key. What was used up in a vault before this one is reinstated there.
    function reinstateEvidence(bytes32 txid, uint32 index) external onlyRole(DEFAULT_ADMIN_ROLE) announced(2) {
        require(_isEvidenceUsed[_inOneOrder(txid)][index], EvidenceUnused(txid, index));
        delete _isEvidenceUsed[_inOneOrder(txid)][index];
        emit EvidenceReinstated(txid, index);
    }

    /// @notice Whether the output was named before, here or in a vault before this one, in either byte order.
    function isEvidenceUsed(bytes32 txid, uint32 index) public view returns (bool) {
        return
            _isEvidenceUsed[_inOneOrder(txid)][index] || (_hasPredecessor() && predecessor.isEvidenceUsed(txid, index));
    }

    /// @notice Puts BTN into one of the pool's reserves, from the caller's own account.
    function fundReserve(ReserveKind kind, uint256 amount) external nonReentrant onlyRole(FUNDER_ROLE) {
        _takeFunding(btn, amount);
        emit ReserveFunded(kind, msg.sender, btn, amount);
    }

    // ─── Money out ──────────────────────────────────────────────────────────────────────────────────────────────────

    /// @notice Pays out up to 100 payouts, each id once; what cannot be paid is skipped and the others go on.
    ///
    /// @dev One batch carries many members' money. None of them may stop the others, and none may be told that it was
    /// paid when it was not, or the other way round. So each payout is a call of the vault to itself:
    ///
    ///     release ─┬─ its id is spent ──────────────── PayoutRepeated
    ///              ├─ no room under the cap ────────── PayoutSkipped(Cap)
    ///              ├─ payOut{gas} ─┬─ too little held ─ PayoutSkipped(Balance)
    ///              │               └─ done ─────────── Transfer, PayoutReleased; id spent, cap used
    ///              └─ payOut{gas} ─╳ reverts ───────── PayoutSkipped(Token); the EVM took back all that it wrote
    ///
    /// 1. "Skipped" and "id unspent" cannot come apart: the id, the cap and the transfer are written in one frame, and
    ///    they stand or fall with it. There is nothing to undo by hand.
    /// 2. `Cap` and `Balance` are found by the vault, and a revert always reads as `Token`, so a token cannot forge a reason
    ///    by reverting with the right bytes. A bare `catch` copies nothing, so it cannot answer with a megabyte either.
    /// 3. A payout gets `payoutGas`, never more: one that burns it all (a token that calls its receiver, say) costs the
    ///    batch that much and no other payout. And never less: where too little is left the whole transaction reverts,
    ///    so that a lack of gas never counts as a refusal by the token, and its payouts stay as they were.
    /// 4. The room under the cap is read before the call of `payOut`, which reads it again. The search through the past
    ///    payouts needs more gas as their history grows, and a slot that was read once is cheap to read again in the
    ///    same transaction. So the search takes little of `payoutGas`.
    function release(Payout[] calldata payouts)
        external
        nonReentrant
        whenNotPaused
        onlyRole(PAYER_ROLE)
        afterPredecessor
    {
        require(payouts.length > 0 && payouts.length <= MAX_PAYOUTS, BadBatchSize(payouts.length));
        uint256 gasEach = payoutGas;
        for (uint256 i = 0; i < payouts.length; ++i) {
            bytes32 id = payouts[i].id;
            if (isPayoutReleased(id)) {
                emit PayoutRepeated(id);
                continue;
            }
            Outcome outcome = _attempt(payouts[i], gasEach);
            if (outcome != Outcome.Released) emit PayoutSkipped(id, outcome);
        }
    }

    function _attempt(Payout calldata payout, uint256 gasEach) private returns (Outcome) {
        if (!isPoolToken(payout.token)) return Outcome.Token;
        if (payout.amount > _payoutLimit[payout.token].available(THE_ENTRY)) return Outcome.Cap;
        // A call is given at most 63/64 of what is left; the 10,000 are for making it and for telling its outcome.
        require(gasleft() > (gasEach * 64) / 63 + 10_000, OutOfPayoutGas(payout.id));
        try this.payOut{ gas: gasEach }(payout) returns (Outcome outcome) {
            return outcome;
        } catch {
            return Outcome.Token;
        }
    }

    /// @notice One payout of a batch. For the vault alone to call.
    function payOut(Payout calldata payout) external returns (Outcome) {
        require(msg.sender == address(this), OnlyTheVaultItself());
        require(_mayBePaid(payout.to), BadReceiver(payout.to));
        require(payout.amount > 0, ZeroAmount());

        (address token, address to, uint256 amount) = (payout.token, payout.to, payout.amount);
        uint256 vaultHeld = _balance(token, address(this));
        uint256 receiverHeld = _balance(token, to);
        if (vaultHeld < amount) return Outcome.Balance;

        _isPayoutReleased[payout.id] = true;
        _payoutLimit[token].consume(THE_ENTRY, amount);
        IERC20(token).safeTransfer(to, amount);
        _requireBalance(token, address(this), vaultHeld - amount);
        _requireBalance(token, to, receiverHeld + amount);
        emit PayoutReleased(payout.id, to, token, amount);
        return Outcome.Released;
    }

    /// @notice Burns BTN out of the vault, each id once.
    function burn(uint256 amount, bytes32 burnId)
        external
        nonReentrant
        whenNotPaused
        onlyRole(PAYER_ROLE)
        afterPredecessor
    {
        require(amount > 0, ZeroAmount());
        require(!isBurnDone(burnId), BurnIdSpent(burnId));
        _isBurnDone[burnId] = true;
        _burnLimit.consume(THE_ENTRY, amount);
        uint256 held = _balance(btn, address(this));
        ERC20Burnable(btn).burn(amount);
        _requireBalance(btn, address(this), held - amount);
        emit Burned(burnId, btn, amount);
    }

    /// @notice Moves money to the cold address, which the notice names too: a change of that address voids the notice.
    /// Works while paused, so that money can be brought to safety.
    /// @dev A fee that the token takes is told, not refused, for the same reason.
    function moveToCold(address token, uint256 amount, address expectedCold)
        external
        nonReentrant
        onlyRole(DEFAULT_ADMIN_ROLE)
        announced(3)
    {
        require(isPoolToken(token), NotAPoolToken(token));
        require(expectedCold == coldStorage, ColdStorageIsNow(coldStorage));
        (uint256 sent, uint256 arrived) = _move(token, expectedCold, amount);
        emit MovedToCold(token, expectedCold, sent, arrived);
    }

    /// @notice Moves the whole balance of a token to the next vault, for good: from the first move on this vault is paused
    /// for ever and takes no funding. Works while paused.
    /// @dev One token at a time, so that a token which refuses does not hold back the others.
    function moveTo(address next, address token) external nonReentrant onlyRole(DEFAULT_ADMIN_ROLE) announced(2) {
        require(isPoolToken(token), NotAPoolToken(token));
        require(successor == address(0) || successor == next, MovedOn(successor));
        PoolVault vault = PoolVault(next);
        require(next.code.length > 0 && address(vault.predecessor()) == address(this), BadSuccessor(next));
        require(_hasTheSameTokens(vault), BadSuccessor(next));
        successor = next;
        (uint256 sent, uint256 arrived) = _move(token, next, _balance(token, address(this)));
        emit MovedToSuccessor(token, next, sent, arrived);
    }

    /// @notice Sends a token that is none of the three, and came here by mistake, to where it belongs.
    /// @dev Some tokens have two addresses for one balance. So the three balances must be the same afterwards.
    function rescue(address token, address to, uint256 amount)
        external
        nonReentrant
        onlyRole(DEFAULT_ADMIN_ROLE)
        announced(3)
    {
        require(!isPoolToken(token), PoolTokenCannotBeRescued(token));
        uint256[3] memory held =
            [_balance(usdt, address(this)), _balance(btn, address(this)), _balance(btc, address(this))];
        IERC20(token).safeTransfer(to, amount);
        _requireBalance(usdt, address(this), held[0]);
        _requireBalance(btn, address(this), held[1]);
        _requireBalance(btc, address(this), held[2]);
        emit Rescued(token, to, amount);
    }

    /// @notice The gas limit to send a `release` with: enough whatever becomes of each payout. A node's estimate is not,
    /// for it is made on the present state and block time, and a payout costs more where a slot is written for the first
    /// time; the transaction then reverts as a whole. What is not used is not paid for.
    function releaseGas(uint256 payouts) external view returns (uint256) {
        return 250_000 + payouts * (uint256(payoutGas) + (_hasPredecessor() ? 20_000 : 10_000));
    }

    /// @notice Whether the payout was made, here or in a vault before this one.
    function isPayoutReleased(bytes32 payoutId) public view returns (bool) {
        return _isPayoutReleased[payoutId] || (_hasPredecessor() && predecessor.isPayoutReleased(payoutId));
    }

    /// @notice Whether the burn was made, here or in a vault before this one.
    function isBurnDone(bytes32 burnId) public view returns (bool) {
        return _isBurnDone[burnId] || (_hasPredecessor() && predecessor.isBurnDone(burnId));
    }

    /// @notice The most that may be paid out of a token in any 24 hours, and how much of that is left now.
    function payoutCap(address token) public view returns (uint256 cap, uint256 room) {
        return (_payoutLimit[token]._limit, _payoutLimit[token].available(THE_ENTRY));
    }

    /// @notice The most that may be burned in any 24 hours, and how much of that is left now.
    function burnCap() public view returns (uint256 cap, uint256 room) {
        return (_burnLimit._limit, _burnLimit.available(THE_ENTRY));
    }

    // ─── Administration ─────────────────────────────────────────────────────────────────────────────────────────────

    /// @notice Replaces the quote key at once; quotes of the former one are worth nothing from now on.
    function setQuoteSigner(address signer) external onlyRole(DEFAULT_ADMIN_ROLE) {
        _setQuoteSigner(signer);
    }

    function setColdStorage(address cold) external onlyRole(DEFAULT_ADMIN_ROLE) announced(1) {
        _setColdStorage(cold);
    }

    /// @notice Lowers a cap at once, raises it only when that was announced.
    function setPayoutCap(address token, uint208 cap) external onlyRole(DEFAULT_ADMIN_ROLE) {
        require(isPoolToken(token), NotAPoolToken(token));
        if (cap > _payoutLimit[token]._limit) _useAnnouncement(2);
        _setPayoutCap(token, cap);
    }

    /// @notice Lowers the cap at once, raises it only when that was announced.
    function setBurnCap(uint208 cap) external onlyRole(DEFAULT_ADMIN_ROLE) {
        if (cap > _burnLimit._limit) _useAnnouncement(1);
        _setBurnCap(cap);
    }

    /// @dev Announced, because a higher value makes large batches too dear for one transaction.
    function setPayoutGas(uint32 gasEach) external onlyRole(DEFAULT_ADMIN_ROLE) announced(1) {
        require(gasEach >= MIN_PAYOUT_GAS && gasEach <= MAX_PAYOUT_GAS, BadPayoutGas(gasEach));
        emit PayoutGasChanged(payoutGas, gasEach);
        payoutGas = gasEach;
    }

    /// @notice Whether nothing is paid in or out: a guardian paused, or the money moved to the next vault.
    function paused() public view override returns (bool) {
        return successor != address(0) || super.paused();
    }

    function isPoolToken(address token) public view returns (bool) {
        return token == usdt || token == btn || token == btc;
    }

    // ─── Within ─────────────────────────────────────────────────────────────────────────────────────────────────────

    function _spendQuote(Quote calldata quote, bytes calldata signature) private returns (bytes32 digest) {
        require(msg.sender == quote.payer, NotThePayer(quote.payer, msg.sender));
        require(block.timestamp <= quote.deadline, QuoteExpired(quote.deadline));
        digest = quoteDigest(quote);
        require(!isQuoteSpent[digest], QuoteSpent(digest));
        // `tryRecover` answers the zero address for a bad signature, which a quote key set to zero must not match.
        (address signer, ECDSA.RecoverError fault,) = ECDSA.tryRecoverCalldata(digest, signature);
        require(fault == ECDSA.RecoverError.NoError && signer == quoteSigner, QuoteNotSigned(digest));
        isQuoteSpent[digest] = true;
    }

    /// @dev Anybody who sees a permit can send it, and it works once. If somebody sent it before this call, it fails
    /// here, but the allowance is set. So a failure is ignored: the transfer shows whether there is an allowance.
    function _tryPermit(address token, uint256 amount, Permit calldata permit) private {
        require(isPoolToken(token), NotAPoolToken(token));
        try IERC20Permit(token)
            .permit(msg.sender, address(this), amount, permit.deadline, permit.v, permit.r, permit.s) { }
            catch { }
    }

    /// @dev Takes exactly `amount` from the caller: what a token keeps back as its fee would be missing for ever.
    function _take(address token, uint256 amount) private {
        require(isPoolToken(token), NotAPoolToken(token));
        require(amount > 0, ZeroAmount());
        uint256 held = _balance(token, address(this));
        IERC20(token).safeTransferFrom(msg.sender, address(this), amount);
        _requireBalance(token, address(this), held + amount);
    }

    /// @dev What is held for members or for the pool must not come back as revenue: not from a cold address, and
    /// `_mayBePaid` shuts the way by a payout to a funder. A detour over a third account stays possible, and stays on
    /// record.
    function _takeFunding(address token, uint256 amount) private {
        require(successor == address(0), MovedOn(successor));
        require(!wasColdStorage[msg.sender], CustodyCannotFund(msg.sender));
        _take(token, amount);
    }

    /// @dev Guardians watch the vault that holds the money. So in the next vault no notice begins before the old one has
    /// moved: a thief could announce there unseen, and act as soon as the money arrives. If the old vault moved to
    /// another one, notices may begin too: what somebody sent here by mistake can then be brought away.
    function _requireThatNoticesMayBegin() internal view override {
        require(!_hasPredecessor() || predecessor.successor() != address(0), PredecessorHasNotMoved());
    }

    function _hasPredecessor() private view returns (bool) {
        return address(predecessor) != address(0);
    }

    function _hasTheSameTokens(PoolVault vault) private view returns (bool) {
        return vault.usdt() == usdt && vault.btn() == btn && vault.btc() == btc;
    }

    /// @dev Programs print a txid in one byte order and store it in the other. So that an output cannot be named twice,
    /// both are kept under the smaller of the two.
    function _inOneOrder(bytes32 txid) private pure returns (bytes32) {
        uint256 reversed;
        for (uint256 i = 0; i < 32; ++i) {
            reversed = (reversed << 8) | uint8(txid[31 - i]);
        }
        return bytes32(reversed) < txid ? bytes32(reversed) : txid;
    }

    /// @dev Paid to a token's contract or to nobody it would be lost (mainnet USDT refuses neither); paid to the vault it
    /// would be told as paid and still be here. A funder must not be paid either: see `_takeFunding`.
    function _mayBePaid(address to) private view returns (bool) {
        return to != address(0) && to != address(this) && !isPoolToken(to) && !hasRole(FUNDER_ROLE, to);
    }

    /// @dev Tells what left and what arrived, which is less if the token takes a fee.
    function _move(address token, address to, uint256 amount) private returns (uint256 sent, uint256 arrived) {
        uint256 vaultHeld = _balance(token, address(this));
        uint256 receiverHeld = _balance(token, to);
        IERC20(token).safeTransfer(to, amount);
        sent = vaultHeld - _balance(token, address(this));
        arrived = _balance(token, to) - receiverHeld;
    }

    function _balance(address token, address holder) private view returns (uint256) {
        return IERC20(token).balanceOf(holder);
    }

    function _requireBalance(address token, address holder, uint256 expected) private view {
        uint256 actual = _balance(token, holder);
        require(actual == expected, Inexact(token, holder, expected, actual));
    }

    function _setQuoteSigner(address signer) private {
        emit QuoteSignerChanged(quoteSigner, signer);
        quoteSigner = signer;
    }

    function _setColdStorage(address cold) private {
        require(_mayBePaid(cold), BadColdStorage(cold));
        emit ColdStorageChanged(coldStorage, cold);
        coldStorage = cold;
        wasColdStorage[cold] = true;
    }

    function _setPayoutCap(address token, uint208 cap) private {
        emit PayoutCapChanged(token, _payoutLimit[token]._limit, cap);
        _payoutLimit[token].updateSettings(CAP_WINDOW, cap);
    }

    function _setBurnCap(uint208 cap) private {
        emit BurnCapChanged(_burnLimit._limit, cap);
        _burnLimit.updateSettings(CAP_WINDOW, cap);
    }
}
