// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import { IERC1271 } from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import { Address } from "@openzeppelin/contracts/utils/Address.sol";
import { SignatureChecker } from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// @title The smallest wallet that is a contract
/// @notice For development and tests. One owner signs for it (EIP-1271) and acts through it.
/// @dev The hash arrives ready made: for a sign-in it is the EIP-191 hash of the message, as for a plain account. A
/// wallet for real money would bind the hash to its own address, so that a signature for one wallet is not valid for
/// another wallet of the same owner.
contract ContractWallet is IERC1271 {
    address public immutable owner;

    error NotOwner(address caller);

    constructor(address owner_) {
        owner = owner_;
    }

    receive() external payable { }

    /// @inheritdoc IERC1271
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        bool valid = SignatureChecker.isValidSignatureNowCalldata(owner, hash, signature);
        return valid ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }

    /// @notice Calls a contract in the wallet's name. Fails if that call fails, with its error if it has one, or if the
    /// target is no contract.
    function execute(address target, uint256 value, bytes calldata data) external payable returns (bytes memory) {
        require(msg.sender == owner, NotOwner(msg.sender));
        return Address.functionCallWithValue(target, data, value);
    }
}
