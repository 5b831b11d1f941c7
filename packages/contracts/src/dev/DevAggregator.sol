// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

/// @title A price feed that answers as Chainlink's do, and says what it is told
/// @notice For development and tests; anybody may set it. Has all reads of the real interface,
/// `AggregatorV3Interface`.
contract DevAggregator {
    struct Round {
        int256 answer;
        uint256 updatedAt;
    }

    uint256 public constant version = 4;
    uint8 public immutable decimals;
    string public description;

    uint80 public latestRound;
    mapping(uint80 roundId => Round) private _rounds;

    event AnswerUpdated(int256 indexed current, uint256 indexed roundId, uint256 updatedAt);

    /// @dev The real ones revert with the text "No data present" for a round that they do not have.
    error NoDataPresent();

    constructor(string memory description_, uint8 decimals_, int256 answer) {
        description = description_;
        decimals = decimals_;
        _addRound(answer, block.timestamp);
    }

    function setAnswer(int256 answer) external {
        _addRound(answer, block.timestamp);
    }

    /// @notice For a stale price, or one from the future.
    function setAnswerAt(int256 answer, uint256 updatedAt) external {
        _addRound(answer, updatedAt);
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        return getRoundData(latestRound);
    }

    function getRoundData(uint80 round)
        public
        view
        returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)
    {
        require(round > 0 && round <= latestRound, NoDataPresent());
        Round memory data = _rounds[round];
        return (round, data.answer, data.updatedAt, data.updatedAt, round);
    }

    function _addRound(int256 answer, uint256 updatedAt) private {
        _rounds[++latestRound] = Round(answer, updatedAt);
        emit AnswerUpdated(answer, latestRound, updatedAt);
    }
}
