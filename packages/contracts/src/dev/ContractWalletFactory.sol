// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import { ContractWallet } from "./ContractWallet.sol";
import { Create2 } from "@openzeppelin/contracts/utils/Create2.sol";

/// @title Contract wallets at addresses known beforehand
/// @notice For development and tests: a member may sign in with a wallet that is not deployed yet (EIP-6492).
contract ContractWalletFactory {
    event WalletDeployed(address indexed wallet, address indexed owner, bytes32 salt);

    /// @dev Deploying again answers with the same address: a verifier must not fail because somebody was faster.
    function deploy(address owner, bytes32 salt) external returns (address wallet) {
        wallet = predict(owner, salt);
        if (wallet.code.length == 0) {
            Create2.deploy(0, salt, _creationCode(owner));
            emit WalletDeployed(wallet, owner, salt);
        }
    }

    function predict(address owner, bytes32 salt) public view returns (address) {
        return Create2.computeAddress(salt, keccak256(_creationCode(owner)));
    }

    function _creationCode(address owner) private pure returns (bytes memory) {
        return abi.encodePacked(type(ContractWallet).creationCode, abi.encode(owner));
    }
}
