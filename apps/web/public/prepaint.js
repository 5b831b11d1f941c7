// Explained in docs/browsers.md. This file is served as it is, so it has few comments.
;(function () {
  var html = document.documentElement

  var theme = null
  var language = null
  try {
    theme = localStorage.getItem('theme')
    language = localStorage.getItem('lang')
  } catch (_forbidden) {
    // No storage.
  }
  var dark = theme === 'shaft' || (theme !== 'paper' && matchMedia('(prefers-color-scheme: dark)').matches)
  html.setAttribute('data-theme', dark ? 'shaft' : 'paper')
  var wanted = [language, (/[?&]lang=([a-z_]+)/.exec(location.search) || [])[1]].concat(navigator.languages)
  html.lang = wanted.map(htmlLang).filter(Boolean)[0] || 'en'

  function htmlLang(tag) {
    var name = String(tag).toLowerCase()
    if (name.indexOf('zh') === 0) return /hant|^zh[-_](tw|hk|mo)/.test(name) ? 'zh-Hant' : 'zh-Hans'
    return name.indexOf('en') === 0 && 'en'
  }

  function showStartFailure() {
    if (document.readyState === 'loading') {
      document.addEventListener('DOMContentLoaded', showStartFailure)
      return
    }
    var root = document.getElementById('root')
    if (root.firstChild) return
    root.appendChild(document.getElementById('start-failure').content.cloneNode(true))
    var words = root.querySelector('[role=alert]')
    words.insertBefore(words.querySelector('[lang=' + html.lang + ']'), words.firstChild)
    root.querySelector('code').textContent = location.href
    root.querySelector('button').onclick = function () {
      location.reload()
    }
  }

  window.showStartFailure = showStartFailure
  if (!('noModule' in document.createElement('script'))) showStartFailure()
  window.addEventListener(
    'error',
    function (event) {
      var file = event.filename || event.target.src || ''
      if (file.indexOf(location.origin + '/assets/') === 0) showStartFailure()
    },
    true
  )

  // From here on: what makes the first page appear sooner. The app works without it.
  var path = location.pathname.replace(/\/+$/, '') || '/'
  var session = {}
  try {
    session = JSON.parse(localStorage.getItem('session')).state || {}
  } catch (_missing) {
    // No session.
  }
  var isMember = typeof session.token === 'string' && session.token !== '' && typeof session.account === 'string'
  var leadsHome = path === '/home' || path === '/' || (path === '/login' && location.search === '')
  // Index in the lists of languages below.
  var spoken = ['en', 'zh-Hant', 'zh-Hans'].indexOf(html.lang)

  if (!/^\/(regist|ido|403|404|500)$/.test(path)) html.setAttribute('data-shell', shell())
  preloadParts((document.currentScript || {}).dataset || {})
  if (isMember && window.fetch) beginReads()

  // Which parts of the static shell are shown, see src/app/shell.css.
  function shell() {
    if (!isMember) return 'sign-in'
    return leadsHome || /^\/(wallet|promotion|pledge|teams|teams\/maps)$/.test(path) ? 'member' : 'page'
  }

  // The build writes the names of its files into the attributes of this script.
  function preloadParts(files) {
    preload([files.textsEn, files.textsZhTw, files.textsZhCn][spoken])
    preload(isMember ? files.home : files.signIn)
    if (isMember && !leadsHome) preload([files.memberTextsEn, files.memberTextsZhTw, files.memberTextsZhCn][spoken])
  }

  function preload(file) {
    if (!file) return
    var link = document.createElement('link')
    link.rel = 'modulepreload'
    link.crossOrigin = 'anonymous'
    link.href = file
    document.head.appendChild(link)
  }

  // Begins the reads for which the first page of a member waits. src/shared/api/first-reads.ts takes the answers.
  function beginReads() {
    var locale = ['en-GB', 'zh-TW', 'zh-CN'][spoken]
    var at = Date.now()
    var answers = {}
    window.firstReads = { at: at, token: session.token, account: session.account, locale: locale, answers: answers }
    begin('/account/profile')
    if (leadsHome && !session.exit) begin('/account/home')

    function begin(route) {
      answers[route] = fetch('/api' + route + '?account=' + encodeURIComponent(session.account) + '&_t=' + at, {
        cache: 'no-store',
        credentials: 'omit',
        headers: {
          Accept: 'application/json',
          'Accept-Language': locale,
          Authorization: 'Bearer ' + session.token,
          'X-Idle-Seconds': '0',
        },
      })
      // The app handles a failure. If it never asks, nobody has to.
      answers[route].then(null, function () {})
    }
  }
})()
