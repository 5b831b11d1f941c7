// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import { Announcements } from "./Announcements.sol";

/// @title Roles that are announced, and accepted by the account that gets them
/// @notice One account administers. It grants every role, its own included, in the same way:
///
///     the account: acceptRole ──┐
///                               ├──▶ grantRole, which hands over if the role is the administrator's own
///     announce ── 2 days ───────┘
///
/// So nobody gets a role by mistake or against its will, and no role goes to an address whose key nobody has. A payer or
/// funder is dismissed at once. A guardian is dismissed after notice, which any guardian can withdraw, the dismissed one
/// too; or at once if another guardian agreed in the last two days. So a stolen administrator cannot get rid of a
/// guardian who is awake, and a stolen guardian cannot stay while there is another one. Nobody renounces a role: an
/// administration without an administrator could never be taken up again.
abstract contract AcceptedRoles is Announcements {
    /// @notice How long a guardian's agreement to another one's dismissal counts. It ends by itself, so that a thief of
    /// the administrator's key cannot use one that was given for another occasion.
    uint48 public constant AGREEMENT_LIFE = 2 days;

    struct Agreement {
        address other; // the guardian who agreed
        uint48 until;
    }

    /// @notice The one account with `DEFAULT_ADMIN_ROLE`.
    address public administrator;

    /// @notice Whether the account has agreed to take the role. Granting the role uses the agreement up.
    mapping(bytes32 role => mapping(address account => bool)) public hasAccepted;

    /// @notice The newest agreement to a guardian's dismissal. It counts up to and including its time, while the guardian
    /// who gave it is one itself.
    mapping(address guardian => Agreement) public dismissalAgreement;

    event RoleAccepted(bytes32 indexed role, address indexed account);
    event DismissalAgreed(address indexed guardian, address indexed other);
    event DismissalAgreementWithdrawn(address indexed guardian, address indexed other);

    error NotAccepted(bytes32 role, address account);
    error AnotherGuardianMustAgree();
    error NotAGuardian(address account);
    error NotAgreed(address guardian, address other);
    error AdministrationIsHandedOver();
    error RolesAreNotRenounced();

    /// @dev The deployment asks each account for a signature instead of `acceptRole`: the vault has no address before.
    constructor(address administrator_) {
        administrator = administrator_;
        _grantRole(DEFAULT_ADMIN_ROLE, administrator_);
    }

    function acceptRole(bytes32 role) external {
        hasAccepted[role][msg.sender] = true;
        emit RoleAccepted(role, msg.sender);
    }

    /// @notice Grants a role that was announced and accepted. The administrator's own role leaves the caller.
    function grantRole(bytes32 role, address account) public override onlyRole(DEFAULT_ADMIN_ROLE) announced(2) {
        require(hasAccepted[role][account], NotAccepted(role, account));
        delete hasAccepted[role][account];
        if (role == DEFAULT_ADMIN_ROLE) {
            _revokeRole(role, administrator);
            administrator = account;
        }
        _grantRole(role, account);
    }

    /// @notice Takes a role away: at once, but a guardian's only after notice or when another guardian agrees.
    function revokeRole(bytes32 role, address account) public override onlyRole(DEFAULT_ADMIN_ROLE) {
        require(role != DEFAULT_ADMIN_ROLE, AdministrationIsHandedOver());
        if (role == GUARDIAN_ROLE) {
            if (!_isDismissalAgreed(account)) _useAnnouncement(2);
            delete dismissalAgreement[account];
        }
        _revokeRole(role, account);
    }

    /// @notice A guardian agrees that the administrator may dismiss another guardian at once, within two days.
    function agreeToDismissal(address guardian) external onlyRole(GUARDIAN_ROLE) {
        require(guardian != msg.sender, AnotherGuardianMustAgree());
        require(hasRole(GUARDIAN_ROLE, guardian), NotAGuardian(guardian));
        dismissalAgreement[guardian] = Agreement(msg.sender, uint48(block.timestamp) + AGREEMENT_LIFE);
        emit DismissalAgreed(guardian, msg.sender);
    }

    /// @notice The guardian who agreed takes the agreement back.
    function withdrawDismissalAgreement(address guardian) external {
        require(dismissalAgreement[guardian].other == msg.sender, NotAgreed(guardian, msg.sender));
        delete dismissalAgreement[guardian];
        emit DismissalAgreementWithdrawn(guardian, msg.sender);
    }

    function renounceRole(bytes32, address) public pure override {
        revert RolesAreNotRenounced();
    }

    function _isDismissalAgreed(address guardian) private view returns (bool) {
        Agreement storage agreement = dismissalAgreement[guardian];
        return block.timestamp <= agreement.until && hasRole(GUARDIAN_ROLE, agreement.other);
    }
}
