// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Model of `Announcements`: one call that is announced, withdrawn and made in any order
/// @dev The contract keeps a time for each hash; the proof follows one of them, for all are treated alike. The vault has
/// a predecessor, which moves its money here at any time.
contract Notice {
    bool private hasPredecessorMoved;
    uint256 private notBefore;
    uint256 private allWithdrawnAt;
    uint256 private clock = 1_000_000;

    // For the proof.
    uint256 private announcedAt;
    uint256 private movedAt;
    bool private isVoid = true;

    function letTimePass(uint256 time) external {
        clock += time;
    }

    function movePredecessor() external {
        require(!hasPredecessorMoved);
        hasPredecessorMoved = true;
        movedAt = clock;
    }

    function announce() external {
        require(hasPredecessorMoved);
        notBefore = clock + 2 days;
        announcedAt = clock;
        isVoid = false;
    }

    function withdrawOne() external {
        notBefore = 0;
        isVoid = true;
    }

    function withdrawAll() external {
        allWithdrawnAt = clock;
    }

    function act() external {
        require(notBefore > allWithdrawnAt + 2 days);
        require(clock >= notBefore);
        require(clock <= notBefore + 7 days);
        notBefore = 0;
        assert(clock >= announcedAt + 2 days);
        assert(clock <= announcedAt + 9 days);
        assert(hasPredecessorMoved && clock >= movedAt + 2 days);
        assert(announcedAt > allWithdrawnAt);
        assert(!isVoid); // neither withdrawn nor made before
        isVoid = true;
    }
}
