// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import { AcceptedRoles } from "./AcceptedRoles.sol";

/// @title A pause that ends by itself
/// @notice Guardians pause and unpause; the administrator does neither. A pause lasts at most `PAUSE_LIFE`. After it the
/// vault runs at least as long as it was paused, before it can be paused again:
///
///     pause() ──── at most 7 days ────┬──── as long again ────┬─────▶ can be paused again
///                                     unpause(), or by itself
///
/// So a false alarm of an hour costs an hour, and a guardian gone bad stops the vault for half of the time at most, until
/// it is dismissed.
abstract contract ExpiringPause is AcceptedRoles {
    uint48 public constant PAUSE_LIFE = 7 days;

    /// @notice When the last pause began, and when it ended or will end.
    uint48 public pausedAt;
    uint48 public pausedUntil;

    event Paused(address indexed guardian, uint48 until);
    event Unpaused(address indexed guardian);

    error EnforcedPause();
    error ExpectedPause();
    error NotPausableYet(uint48 notBefore);

    modifier whenNotPaused() {
        require(!paused(), EnforcedPause());
        _;
    }

    function pause() external onlyRole(GUARDIAN_ROLE) {
        uint48 notBefore = 2 * pausedUntil - pausedAt;
        require(block.timestamp >= notBefore, NotPausableYet(notBefore));
        pausedAt = uint48(block.timestamp);
        pausedUntil = uint48(block.timestamp) + PAUSE_LIFE;
        emit Paused(msg.sender, pausedUntil);
    }

    function unpause() external onlyRole(GUARDIAN_ROLE) {
        require(block.timestamp < pausedUntil, ExpectedPause());
        pausedUntil = uint48(block.timestamp);
        emit Unpaused(msg.sender);
    }

    function paused() public view virtual returns (bool) {
        return block.timestamp < pausedUntil;
    }
}
