// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import { ERC20 } from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import { ERC20Burnable } from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Burnable.sol";
import { ERC20Permit } from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";

/// @title BTN, the pool's token
/// @notice The whole issuance is made at once and there is no function that makes more, so the cap needs no keeper:
/// the supply can only ever fall, by burning. Nobody owns the contract, nobody can pause it or take a token back.
contract BtnToken is ERC20, ERC20Burnable, ERC20Permit {
    /// @notice 1,000,000,000 BTN. What was burned is this less `totalSupply()`.
    uint256 public constant cap = 1_000_000_000e18;

    constructor(address holder) ERC20("Lode BTN", "BTN") ERC20Permit("Lode BTN") {
        _mint(holder, cap);
    }
}
