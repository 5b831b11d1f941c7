// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import { ContractWallet } from "./ContractWallet.sol";
import { Address } from "@openzeppelin/contracts/utils/Address.sol";

/// @title A contract wallet that does several things in one transaction
/// @notice For development and tests: a plain transfer and a deposit side by side, as wallets that bundle calls send them.
contract BatchWallet is ContractWallet {
    struct Call {
        address target;
        bytes data;
    }

    constructor(address owner_) ContractWallet(owner_) { }

    /// @notice Does all the calls, in their order, or none.
    function executeBatch(Call[] calldata calls) external {
        require(msg.sender == owner, NotOwner(msg.sender));
        for (uint256 i = 0; i < calls.length; ++i) {
            Address.functionCall(calls[i].target, calls[i].data);
        }
    }
}
