import type { ComponentType } from 'react'
import type { ViewProps } from '../shared/routing/index.ts'

type ViewDefinition = {
  readonly path: `/${string}`
  /** Called when the view is first opened. */
  readonly load: () => Promise<ComponentType<ViewProps>>
  /** True if the view keeps its state and scroll position while another view is open. */
  readonly kept: boolean
  /** True if the tab bar is shown below the view. */
  readonly tabbed: boolean
}

/** Every page of the app. No page has path parameters; pages take query values. */
export const views = {
  login: {
    path: '/login',
    load: async () => (await import('../features/sign-in/index.ts')).LoginView,
    kept: false,
    tabbed: false,
  },
  regist: {
    path: '/regist',
    load: async () => (await import('../features/sign-in/index.ts')).RegistView,
    kept: false,
    tabbed: false,
  },
  home: {
    path: '/home',
    load: async () => (await import('../features/home/index.ts')).HomeView,
    kept: true,
    tabbed: true,
  },
  wallet: {
    path: '/wallet',
    load: async () => (await import('../features/wallet/index.ts')).loadWalletView(),
    kept: true,
    tabbed: true,
  },
  walletDetail: {
    path: '/wallet/detail',
    load: async () => (await import('../features/wallet/index.ts')).loadWalletDetailView(),
    kept: true,
    tabbed: false,
  },
  income: {
    path: '/wallet/income',
    load: async () => (await import('../features/income/index.ts')).IncomeView,
    kept: true,
    tabbed: false,
  },
  statement: {
    path: '/wallet/statement',
    load: async () => (await import('../features/statement/index.ts')).StatementView,
    kept: false,
    tabbed: false,
  },
  promotion: {
    path: '/promotion',
    load: async () => (await import('../features/promotion/index.ts')).loadPromotionView(),
    kept: true,
    tabbed: true,
  },
  pledge: {
    path: '/pledge',
    load: async () => (await import('../features/pledge/index.ts')).loadPledgeView(),
    kept: true,
    tabbed: true,
  },
  pledgeDetail: {
    path: '/pledge/detail',
    load: async () => (await import('../features/pledge/index.ts')).loadPledgeDetailView(),
    kept: true,
    tabbed: false,
  },
  teams: {
    path: '/teams',
    load: async () => (await import('../features/team/index.ts')).TeamView,
    kept: true,
    tabbed: true,
  },
  net: {
    path: '/teams/maps',
    load: async () => (await import('../features/team/index.ts')).NetView,
    kept: true,
    tabbed: true,
  },
  rewards: {
    path: '/promotion/reward',
    load: async () => (await import('../features/rewards/index.ts')).RewardsView,
    kept: true,
    tabbed: false,
  },
  setting: {
    path: '/setting',
    load: async () => (await import('../features/setting/index.ts')).SettingView,
    kept: false,
    tabbed: false,
  },
  transfer: {
    path: '/setting/transfer',
    load: async () => (await import('../features/transfer/index.ts')).TransferView,
    kept: false,
    tabbed: false,
  },
  records: {
    path: '/setting/subscribe',
    load: async () => (await import('../features/records/index.ts')).RecordsView,
    kept: true,
    tabbed: false,
  },
  dao: {
    path: '/setting/dao',
    load: async () => (await import('../features/dao/index.ts')).DaoView,
    kept: true,
    tabbed: false,
  },
  notice: {
    path: '/setting/notice',
    load: async () => (await import('../features/notice/index.ts')).loadNoticeView(),
    kept: false,
    tabbed: false,
  },
  help: {
    path: '/setting/help',
    load: async () => (await import('../features/help/index.ts')).HelpView,
    kept: false,
    tabbed: false,
  },
  share: {
    path: '/share',
    load: async () => (await import('../features/share/index.ts')).ShareView,
    kept: false,
    tabbed: false,
  },
  forbidden: {
    path: '/403',
    load: async () => (await import('./error-pages.tsx')).ForbiddenView,
    kept: false,
    tabbed: false,
  },
  notFound: {
    path: '/404',
    load: async () => (await import('./error-pages.tsx')).NotFoundView,
    kept: false,
    tabbed: false,
  },
  failed: {
    path: '/500',
    load: async () => (await import('./error-pages.tsx')).FailedView,
    kept: false,
    tabbed: false,
  },
} as const satisfies Record<string, ViewDefinition>

export type ViewName = keyof typeof views

const viewNames = Object.keys(views) as ViewName[]

/** The view at a path. A trailing slash is ignored. */
export const viewAt = (path: string): ViewName | undefined =>
  viewNames.find((name) => views[name].path === (path.replace(/\/+$/, '') || '/'))

export const isSignInView = (name: ViewName): boolean => name === 'login' || name === 'regist'

/** Nearly every visitor sees these views first. They need only the texts that are loaded first. */
export const needsOnlyFirstTexts = (name: ViewName): boolean => isSignInView(name) || name === 'home'
