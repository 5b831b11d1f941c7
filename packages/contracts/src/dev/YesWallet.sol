// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import { IERC1271 } from "@openzeppelin/contracts/interfaces/IERC1271.sol";

/// @title A contract wallet that accepts every signature
/// @notice For tests. Any signature signs in as this wallet's address, and never as another address.
contract YesWallet is IERC1271 {
    /// @inheritdoc IERC1271
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        return IERC1271.isValidSignature.selector;
    }
}
