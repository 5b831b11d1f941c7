// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

/// @title A wallet that never answers
/// @notice For tests: every call to it uses up all the gas of the call, and the node's time. It has only
/// a fallback, which answers every call, so it serves as a hostile EIP-6492 factory too.
contract GasBurningWallet {
    fallback() external {
        bytes32 state;
        while (true) state = keccak256(abi.encode(state));
    }
}
