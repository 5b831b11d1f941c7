// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Model of `ExpiringPause`: its two times and the statements that write them, for callers who are guardians
contract Pause {
    uint256 private pausedAt;
    uint256 private pausedUntil;
    uint256 private clock = 1_000_000;

    function letTimePass(uint256 time) external {
        clock += time;
    }

    function pause() external {
        uint256 notBefore = 2 * pausedUntil - pausedAt;
        require(clock >= notBefore);
        assert(clock - pausedUntil >= pausedUntil - pausedAt); // it ran as long as it was paused
        pausedAt = clock;
        pausedUntil = clock + 7 days;
    }

    function unpause() external {
        require(clock < pausedUntil);
        pausedUntil = clock;
    }

    function proveThatAPauseEndsByItself() external view {
        assert(pausedAt <= pausedUntil && pausedUntil <= pausedAt + 7 days);
        assert(clock < pausedAt + 7 days || clock >= pausedUntil);
    }
}
