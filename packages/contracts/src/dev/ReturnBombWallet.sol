// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import { IERC1271 } from "@openzeppelin/contracts/interfaces/IERC1271.sol";

/// @title A wallet that answers with a megabyte
/// @notice For tests: the answer begins with the magic value, so that a reader which copies first and checks later pays
/// for all of it, in gas on the chain and in memory off it.
contract ReturnBombWallet {
    uint256 public constant ANSWER_BYTES = 1 << 20;

    fallback() external {
        bytes4 magic = IERC1271.isValidSignature.selector;
        uint256 size = ANSWER_BYTES;
        assembly {
            mstore(0, magic)
            return(0, size)
        }
    }
}
