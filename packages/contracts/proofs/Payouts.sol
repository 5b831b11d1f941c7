// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Model of the ways out of the vault: one token, one id that the proof follows, and a token that may refuse
contract Payouts {
    uint256 private balance;
    bool private isSpent;
    bool private isPaused;
    bool private isAnnounced;

    // For the proof.
    uint256 private timesPaid;
    uint256 private paidIn;
    uint256 private paidOut;
    uint256 private movedAfterNotice;

    function deposit(uint256 amount) external {
        require(!isPaused);
        require(amount < 2 ** 96 && balance < 2 ** 96);
        balance += amount;
        paidIn += amount;
    }

    function pauseOrGoOn(bool paused) external {
        isPaused = paused;
    }

    function announce() external {
        isAnnounced = true;
    }

    /// @param refused Whether the token reverts, which takes back what the frame of the payout wrote.
    function release(uint256 amount, bool refused) external {
        require(!isPaused);
        if (isSpent) return;
        if (balance < amount) return;
        if (refused) return;
        bool was = isSpent;
        isSpent = true;
        balance -= amount;
        paidOut += amount;
        ++timesPaid;
        assert(!was && !isPaused);
    }

    function moveToCold(uint256 amount) external {
        require(isAnnounced);
        isAnnounced = false;
        require(amount <= balance);
        balance -= amount;
        movedAfterNotice += amount;
    }

    function proveThatAnIdIsPaidOnceAndThenSpent() external view {
        assert(timesPaid <= 1);
        assert(timesPaid == 0 || isSpent);
    }

    function proveThatTheBalanceFallsInTheseWaysOnly() external view {
        assert(balance + paidOut + movedAfterNotice == paidIn);
    }
}
