// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import { IERC1271 } from "@openzeppelin/contracts/interfaces/IERC1271.sol";

/// @title A wallet that reverts on every signature
/// @notice For tests: a refusal by revert must read as "not valid", never as a fault of the server.
contract NoWallet is IERC1271 {
    error NoSignatureIsEverValid();

    /// @inheritdoc IERC1271
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        revert NoSignatureIsEverValid();
    }
}
