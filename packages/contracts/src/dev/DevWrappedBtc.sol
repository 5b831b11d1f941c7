// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import { ERC20 } from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title A wrapped bitcoin with 8 decimals
/// @notice For development and tests; anybody may mint. A plain ERC-20 without permit, as the common one is.
contract DevWrappedBtc is ERC20 {
    constructor() ERC20("Wrapped BTC (development)", "BTC") { }

    function mint(address to, uint256 value) external {
        _mint(to, value);
    }

    function decimals() public pure override returns (uint8) {
        return 8;
    }
}
