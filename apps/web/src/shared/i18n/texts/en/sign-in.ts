export const signIn = {
  walletPreview:
    'Your wallet will ask to show your address, then to sign a message. It is a message, not a payment, and costs nothing.',
  means: {
    login: 'The message says: log in to Lode. Signing is free and moves no money.',
    register:
      'The message says: register with your inviter’s code. The inviter cannot be changed later. Signing is free and moves no money.',
  },
  plan: 'See the plan',
  connectWallet: 'Connect wallet',
  continueWith: 'Continue with {{wallet}}',
  chooseWallet: 'Choose a wallet',
  otherWallets: 'Other wallets',
  browserWallet: 'Browser wallet',
  walletCodeFailed: 'The wallet list could not be loaded',
  toRegister: 'Register with an invitation code',
  toLogin: 'Sign in instead',

  register: 'Register',
  registerText: 'Lode is a mining pool that shows its books.\nEnter your inviter’s invitation code.',
  registerFilled: 'Lode is a mining pool that shows its books.\nYour inviter’s code is filled in: choose your wallet.',
  inviteCode: 'Invitation code',
  inviteMissing: 'Enter the invitation code first',
  inviteHint: '8 letters and digits, from your inviter’s link',

  progress: 'Sign-in progress',
  steps: {
    connect: 'Connecting to wallet',
    request: 'Requesting login',
    requestRegister: 'Preparing your registration',
    sign: 'Requesting wallet signature',
    login: 'Signing in',
    register: 'Registering account',
  },
  outcome: {
    loginSucceeded: 'Login successful',
    loginFailed: 'Login failed',
    registerSucceeded: 'Registration successful',
    registerFailed: 'Registration failed',
  },
  openToConnect: 'Open your wallet and allow it to show your address.',
  openToSign: 'Open your wallet and confirm. It is a message, not a payment, and costs nothing.',
  openToExit:
    'Open your wallet and sign, this time only to take your assets out. It is a message, not a payment, and costs nothing.',
  declined:
    'Nothing was signed. Open your wallet when you are ready. It is a message, not a payment, and costs nothing.',
  readMessage: 'Read the message',
  wrongNetwork: 'Your wallet is on another network. This pool uses {{network}}.',
  switchNetwork: 'Switch to {{network}}',
  unregistered: 'This account is not registered yet.',
  registerThis: 'Register this account',
  registered: 'This account is already registered.',
  loginThis: 'Sign in with this account',
  inviterIs: 'Inviter …{{tail}}',

  waitingFor: 'Waiting for {{wallet}}',
  working: 'One moment',
  pleaseWait: 'Please wait for verification to complete',
  openAgain: 'Open {{wallet}} again',
  anotherWallet: 'Choose another wallet',
  takeOut: 'Take your assets out',
  takeOutText: 'You can still sign in to take out what is yours.',

  confirm: {
    title: 'Confirm your inviter',
    text: 'Your inviter’s account ends in',
    compare: 'Ask your inviter whether it is theirs.',
    forEver: 'This is permanent. Once bound, an invitation code cannot be changed or canceled.',
    next: 'Next, your wallet asks you to sign a message. It is a message, not a payment, and costs nothing.',
    agree: 'Confirm and sign',
    otherCode: 'Use another code',
  },

  setup: {
    title: 'You are registered',
    text: 'Choose the fund password now, and you need not keep this code. To choose it later, keep the code: it is shown only once.',
    code: 'Your set-up code',
    copy: 'Copy the set-up code',
    whatFor:
      'It has one use: choosing your first fund password. Transfers out and payments from your balance need that password.',
    later: 'Skip for now',
  },

  problem: {
    connect: 'Failed to connect to wallet',
    sign: 'Signature failed',
    pending: 'A request is already open in your wallet. Answer it there, then try again.',
    disconnected: 'Your wallet has disconnected. Unlock it and try again.',
    chainUnknown: 'Your wallet could not add {{network}}. Add it in the wallet by hand, then try again.',
    unsupported: 'This wallet cannot do that. Please choose another one.',
    silent: 'Your wallet does not answer. Unlock it and try again, or choose another one.',
    noAccount: 'Your wallet showed no account. Unlock it or create an account there, then try again.',
    networkUnchanged: 'Your wallet is still on another network. Switch to {{network}} there, then continue.',
    accountChanged:
      'The account in your wallet changed from {{was}} to {{now}}. Nobody was signed in. Start again with the account you want.',
  },

  noWallet: {
    toast: 'Non-Ethereum browser detected!',
    title: 'No wallet in this browser',
    phone: 'Open this page in your wallet’s own browser:',
    phoneSteps: {
      copy: 'Copy this link',
      open: 'In your wallet app, open the browser (often called Discover)',
      paste: 'Paste the link',
    },
    orOpen: 'Or open it directly',
    openIn: 'Open in {{wallet}}',
    desktop: 'Install a wallet in this browser, then come back and check again.',
    install: 'Install {{wallet}}',
    orPhone: 'Or scan this code with your phone, in your wallet’s own browser',
    copyLink: 'Copy the link to this page',
    again: 'Check again',
    still: 'Still no wallet here',
  },
} as const
