// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import { AccessControl } from "@openzeppelin/contracts/access/AccessControl.sol";

/// @title Two days' notice of every administrative call that could cost members money
/// @notice The administrator announces the exact call data first, and makes the call after the notice:
///
///     announce(call) ──────── NOTICE, 2 days ────────┬──── NOTICE_LIFE, 7 days ────┬─────▶ void: announce again
///           │                                        │   that very call, once      │
///           └── a guardian can withdraw it until it is made
///
/// The notice protects against a thief of the administrator's key. One guardian who looks once a day is enough: it
/// withdraws every announcement with one short call, no matter how many there are. The notice ends by itself, so that
/// nobody can announce in one year and act in the next.
///
/// @dev What is announced is the call data: the notice binds the arguments, and any ABI decoder can read it.
abstract contract Announcements is AccessControl {
    uint48 public constant NOTICE = 2 days;
    uint48 public constant NOTICE_LIFE = 7 days;

    /// @notice The longest call that can be announced: a selector and three arguments. No announced call needs more.
    uint256 public constant MAX_CALL_LENGTH = 4 + 3 * 32;

    /// @notice May withdraw announcements, pause and unpause the vault, and agree to another guardian's dismissal.
    bytes32 public constant GUARDIAN_ROLE = keccak256("GUARDIAN");

    /// @dev From when a call may be made, unless all announcements were withdrawn since.
    mapping(bytes32 callHash => uint48 time) private _notBefore;
    uint48 private _allWithdrawnAt;

    event Announced(bytes32 indexed callHash, bytes call, uint48 notBefore, uint48 notAfter);
    event AnnouncementUsed(bytes32 indexed callHash);
    event AnnouncementWithdrawn(bytes32 indexed callHash, address indexed guardian);
    event AllAnnouncementsWithdrawn(address indexed guardian);

    error CallTooLong(uint256 length);
    error CallPadded(uint256 length);
    error NotAnnounced(bytes32 callHash);
    error NotYet(bytes32 callHash, uint48 notBefore);
    error NoLonger(bytes32 callHash, uint48 notAfter);

    /// @dev For a function that only works when this very call was announced; uses the notice up.
    /// @param arguments How many words the call data has after the selector.
    modifier announced(uint256 arguments) {
        _useAnnouncement(arguments);
        _;
    }

    /// @notice Announces a call to this contract. Announcing it again starts its notice anew.
    function announce(bytes calldata call) external onlyRole(DEFAULT_ADMIN_ROLE) {
        _requireThatNoticesMayBegin();
        require(call.length <= MAX_CALL_LENGTH, CallTooLong(call.length));
        bytes32 callHash = keccak256(call);
        uint48 notBefore = uint48(block.timestamp) + NOTICE;
        _notBefore[callHash] = notBefore;
        emit Announced(callHash, call, notBefore, notBefore + NOTICE_LIFE);
    }

    function withdrawAnnouncement(bytes32 callHash) external onlyRole(GUARDIAN_ROLE) {
        require(announcedFor(callHash) != 0, NotAnnounced(callHash));
        delete _notBefore[callHash];
        emit AnnouncementWithdrawn(callHash, msg.sender);
    }

    /// @notice Withdraws everything that was announced so far, in this block too, at a cost that does not depend on how
    /// much that is.
    function withdrawAllAnnouncements() external onlyRole(GUARDIAN_ROLE) {
        _allWithdrawnAt = uint48(block.timestamp);
        emit AllAnnouncementsWithdrawn(msg.sender);
    }

    /// @notice From when an announced call may be made; 0 if it is not announced, or was withdrawn or made. It stays
    /// after the notice has ended unused.
    function announcedFor(bytes32 callHash) public view returns (uint48 notBefore) {
        notBefore = _notBefore[callHash];
        if (notBefore <= _allWithdrawnAt + NOTICE) return 0;
    }

    /// @dev Reverts while nobody watches the contract: a notice that nobody reads protects nobody.
    function _requireThatNoticesMayBegin() internal view virtual;

    /// @dev The ABI decoder ignores bytes after the arguments. They are refused, so that one act has one hash.
    function _useAnnouncement(uint256 arguments) internal {
        require(msg.data.length == 4 + arguments * 32, CallPadded(msg.data.length));
        bytes32 callHash = keccak256(msg.data);
        uint48 notBefore = announcedFor(callHash);
        require(notBefore != 0, NotAnnounced(callHash));
        require(block.timestamp >= notBefore, NotYet(callHash, notBefore));
        require(block.timestamp <= notBefore + NOTICE_LIFE, NoLonger(callHash, notBefore + NOTICE_LIFE));
        delete _notBefore[callHash];
        emit AnnouncementUsed(callHash);
    }
}
