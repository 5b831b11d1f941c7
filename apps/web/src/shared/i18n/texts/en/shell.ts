export const shell = {
  titles: {
    login: 'Sign in',
    regist: 'Register',
    forbidden: 'Access denied',
    notFound: 'Page not found',
    failed: 'Something went wrong',
  },
  offline: 'You are offline. What you see may be out of date.',
  forbidden: {
    title: 'You can’t open this page',
    text: 'Your account does not have access. Nothing was changed.',
  },
  notFound: {
    title: 'No vein here',
    text: 'There is no page at this address. It may have moved, or the link may be incomplete.',
  },
  failed: {
    title: 'This page failed',
    text: 'The problem is on our side. Your assets are not affected. Please try again.',
  },
  toHome: 'Back to home',
  toLogin: 'Go to sign-in',
} as const
