// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {
    AccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";

/// @title Administration in two steps, and the gravest acts after two days' notice
/// @notice One account administers. It hands over in two steps, the second by the new one after `NOTICE`. What could
/// take the members' money away (a move to cold storage, another cold address, a higher cap, the dismissal of a guardian)
/// it must announce first.
///
///     announce(call) ──────── NOTICE, 2 days ────────┬──── NOTICE_LIFE, 7 days ────┬─────▶ void: announce again
///           │                                        │   that very call, once      │
///           └── a guardian can withdraw it until it is made, but for a guardian's dismissal
///
/// The notice is for the members, who can see in it what is coming and leave, and against a thief of the administrator's
/// key, whom a guardian can stop. The thief could dismiss the guardian first: that takes two days too, and then as many
/// again. A guardian gone bad can only hold things up, and cannot prevent its own dismissal. The notice ends by itself so
/// that nobody can announce in one year and act in the next.
///
/// @dev What is announced is the call data: the notice binds the arguments, and any ABI decoder can read it.
abstract contract Announcements is AccessControlDefaultAdminRules {
    uint48 public constant NOTICE = 2 days;
    uint48 public constant NOTICE_LIFE = 7 days;

    /// @notice May stop things, and nothing else: pause the vault, withdraw an announcement.
    bytes32 public constant GUARDIAN_ROLE = keccak256("GUARDIAN");

    /// @notice From when an announced call may be made; 0 if it is not announced, or was withdrawn or made. It stays
    /// after the notice has ended unused.
    mapping(bytes32 callHash => uint48 time) public announcedFor;

    event Announced(bytes32 indexed callHash, bytes call, uint48 notBefore, uint48 notAfter);
    event AnnouncementWithdrawn(bytes32 indexed callHash, address indexed guardian);

    error NotAnnounced(bytes32 callHash);
    error NotYet(bytes32 callHash, uint48 notBefore);
    error NoLonger(bytes32 callHash, uint48 notAfter);
    error GuardiansCannotPreventThis();

    /// @dev For a function that only works when this very call was announced; uses the notice up.
    modifier announced() {
        _useAnnouncement();
        _;
    }

    /// @notice Announces a call to this contract. Announcing it again starts its notice anew.
    function announce(bytes calldata call) external onlyRole(DEFAULT_ADMIN_ROLE) {
        bytes32 callHash = keccak256(call);
        uint48 notBefore = uint48(block.timestamp) + NOTICE;
        announcedFor[callHash] = notBefore;
        emit Announced(callHash, call, notBefore, notBefore + NOTICE_LIFE);
    }

    function withdrawAnnouncement(bytes calldata call) external onlyRole(GUARDIAN_ROLE) {
        bytes32 callHash = keccak256(call);
        require(announcedFor[callHash] != 0, NotAnnounced(callHash));
        // Only the selector is looked at, so cutting the rest off is the point.
        // forge-lint: disable-next-line(unsafe-typecast)
        require(bytes4(call) != this.revokeRole.selector, GuardiansCannotPreventThis());
        delete announcedFor[callHash];
        emit AnnouncementWithdrawn(callHash, msg.sender);
    }

    /// @notice Takes a role away: at once, but a guardian's only when that was announced.
    function revokeRole(bytes32 role, address account) public override {
        if (role == GUARDIAN_ROLE) _useAnnouncement();
        super.revokeRole(role, account);
    }

    function _useAnnouncement() internal {
        bytes32 callHash = keccak256(msg.data);
        uint48 notBefore = announcedFor[callHash];
        require(notBefore != 0, NotAnnounced(callHash));
        require(block.timestamp >= notBefore, NotYet(callHash, notBefore));
        require(block.timestamp <= notBefore + NOTICE_LIFE, NoLonger(callHash, notBefore + NOTICE_LIFE));
        delete announcedFor[callHash];
    }
}
