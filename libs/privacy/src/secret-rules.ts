import { COMMAND_SECRET_RULES } from './command-secret-rules.js';
import { inside, rule, type SecretRule } from './secret-rule.js';
import { looksRandom } from './secret-values.js';
import { SQL_SECRET_RULES } from './sql-secret-rules.js';

export const SECRET_RULES: readonly SecretRule[] = [
  rule('aws-access-key', 'AKIA ASIA ABIA ACCA', /[A-Z]{4}[A-Z0-9]{16}(?![A-Za-z0-9])/y),
  rule('google-api-key', 'AIza', /AIza[\w-]{30,60}/y),
  rule('google-oauth', 'ya29. GOCSPX- 1//0', /(?:ya29\.|GOCSPX-|1\/\/0)[\w-]{20,}/y),
  rule('gemini', 'AQ.', /AQ\.[A-Z][\w-]{30,}/y),
  rule('github', 'ghp_ gho_ ghu_ ghs_ ghr_', /gh[pousr]_[A-Za-z0-9]{20,255}/y),
  rule('github', 'github_pat_', /github_pat_\w{20,}/y),
  rule(
    'gitlab',
    'glpat- gldt- glrt- glcbt- glptt- glft- glsoat- glagent- gloas- glimt- glffct-',
    /gl[a-z]{2,6}-[\w.-]{16,}/y,
  ),
  rule(
    'slack',
    'xoxa- xoxb- xoxe- xoxe. xoxo- xoxp- xoxr- xoxs- xoxc- xoxd- xapp-',
    /x(?:ox[a-z]|app)[-.][\w%./+-]{10,}/y,
  ),
  inside(
    'slack-webhook',
    'hooks.slack.com/',
    /(?<keep>hooks\.slack\.com\/(?:services|workflows|triggers)\/)[\w/-]{8,}/y,
  ),
  rule(
    'stripe',
    'sk_live_ sk_test_ rk_live_ rk_test_ pk_live_ pk_test_',
    /[srp]k_(?:live|test)_[A-Za-z0-9]{10,}/y,
  ),
  rule('stripe', 'whsec_', /whsec_[A-Za-z0-9+/=]{16,}/y),
  rule('twilio', 'SK AC', /(?:SK|AC)[0-9a-f]{32}(?![A-Za-z0-9])/y),
  rule('sendgrid', 'SG.', /SG\.[\w-]{16,64}\.[\w-]{16,}/y),
  rule('mailgun', 'key-', /key-[0-9a-f]{32}(?![A-Za-z0-9])/y),
  rule('mailgun', 'pubkey-', /pubkey-[0-9a-f]{32}(?![A-Za-z0-9])/y),
  rule('npm', 'npm_', /npm_[A-Za-z0-9]{30,}/y),
  rule('pypi', 'pypi-', /pypi-Ag[\w-]{40,}/y),
  rule('docker-hub', 'dckr_pat_ dckr_oat_', /dckr_[po]at_[\w-]{20,}/y),
  rule('digitalocean', 'dop_v1_ doo_v1_ dor_v1_', /do[por]_v1_[0-9a-f]{32,}/y),
  rule('heroku', 'HRKU-', /HRKU-[\w-]{30,}/y),
  rule('hugging-face', 'hf_', /hf_[A-Za-z0-9]{30,}/y),
  rule('hugging-face', 'api_org_', /api_org_[A-Za-z0-9]{30,}/y),
  rule('anthropic', 'sk-ant-', /sk-ant-[\w-]{16,}/y),
  rule('openrouter', 'sk-or-', /sk-or-[\w-]{16,}/y),
  rule('openai', 'sk-proj- sk-svcacct- sk-admin-', /sk-(?:proj|svcacct|admin)-[\w-]{16,}/y),
  rule('openai', 'sk-', /sk-(?=[A-Za-z-]{0,40}\d)(?:lf-|None-)?[A-Za-z0-9-]{20,}/y),
  rule('groq', 'gsk_', /gsk_[A-Za-z0-9]{20,}/y),
  rule('replicate', 'r8_', /r8_[A-Za-z0-9]{20,}/y),
  rule('xai', 'xai-', /xai-[A-Za-z0-9]{40,}/y),
  rule('perplexity', 'pplx-', /pplx-[A-Za-z0-9]{32,}/y),
  rule('nvidia', 'nvapi-', /nvapi-[\w-]{32,}/y),
  rule('tavily', 'tvly-', /tvly-[\w-]{20,}/y),
  rule('langsmith', 'lsv2_', /lsv2_(?:pt|sk)_[0-9a-f]{20,}\w*/y),
  inside(
    'azure-storage',
    'AccountKey= SharedAccessKey= accountKey= sharedAccessKey= SharedAccessSignature=',
    /(?<keep>(?:[aA]ccountKey|[sS]haredAccessKey|SharedAccessSignature)=)[A-Za-z0-9+/=%&._-]{8,}/y,
  ),
  rule('azure-client-secret', '8Q~ 7Q~', /[78]Q~[\w.~-]{31,34}/y),
  rule(
    'discord-webhook',
    'discord.com/api/webhooks/ discordapp.com/api/webhooks/',
    /(?<keep>discord(?:app)?\.com\/api\/webhooks\/\d{1,24}\/)[\w-]{16,}/y,
  ),
  inside('telegram', ':AA', /(?<=\d{8,12})(?<keep>:)AA[\w-]{30,40}(?![\w-])/y),
  rule('square', 'sq0atp- sq0csp- sq0idp-', /sq0(?:atp|csp|idp)-[\w-]{20,}/y),
  rule('square', 'EAAA', /EAAA[\w-]{56,}/y),
  rule('facebook', 'EAACEdEose0cBA', /EAACEdEose0cBA[A-Za-z0-9]{10,}/y),
  rule('shopify', 'shpat_ shpca_ shppa_ shpss_', /shp(?:at|ca|pa|ss)_[0-9a-fA-F]{24,}/y),
  rule('datadog', 'ddapi_ ddapp_', /ddap[ip]_[A-Za-z0-9]{20,}/y),
  inside('sentry-dsn', '://', /(?<keep>:\/\/)[0-9a-f]{32}(?::[0-9a-f]{32})?(?=@)/y),
  rule('sentry', 'sntrys_ sntryu_', /sntry[su]_[\w=+/-]{30,}/y),
  rule('linear', 'lin_api_ lin_oauth_', /lin_(?:api|oauth)_[A-Za-z0-9]{30,}/y),
  rule('notion', 'ntn_', /ntn_[A-Za-z0-9]{40,}/y),
  rule('notion', 'secret_', /secret_[A-Za-z0-9]{40,}/y),
  rule('atlassian', 'ATATT3 ATCTT3 ATBB', /(?:ATATT3|ATCTT3|ATBB)[\w=-]{20,}/y),
  rule('doppler', 'dp.', /dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{20,}/y),
  rule('vault', 'hvs. hvb. hvr.', /hv[sbr]\.[\w-]{20,}/y),
  inside('terraform-cloud', '.atlasv1.', /(?<keep>\.atlasv1\.)[\w-]{40,}/y),
  rule('age-key', 'AGE-SECRET-KEY-1', /AGE-SECRET-KEY-1[0-9A-Za-z]{20,}/y),
  rule('supabase', 'sbp_ sb_secret_', /sb(?:p|_secret)_[\w-]{20,}/y),
  rule('planetscale', 'pscale_', /pscale_(?:tkn|pw|oauth)_[\w.-]{20,}/y),
  rule('postman', 'PMAK-', /PMAK-[0-9a-f]{24}-[0-9a-f]{34}/y),
  rule('new-relic', 'NRAK- NRII- NRJS-', /NR(?:AK|II|JS)-[\w-]{16,}/y),
  rule('grafana', 'glsa_ glc_', /gl(?:sa|c)_[\w+/=]{28,}/y),
  rule('pulumi', 'pul-', /pul-[0-9a-f]{40}/y),
  rule('figma', 'figd_', /figd_[\w-]{20,}/y),
  rule('rubygems', 'rubygems_', /rubygems_[0-9a-f]{32,}/y),
  rule('netlify', 'nfp_', /nfp_[A-Za-z0-9]{30,}/y),
  rule('contentful', 'CFPAT-', /CFPAT-[\w-]{40,}/y),
  rule('databricks', 'dapi', /dapi[0-9a-f]{32}(?:-\d)?(?![A-Za-z0-9])/y),
  rule('fly', 'FlyV1', /(?<keep>FlyV1 )fm\d_[\w+/=,-]{30,}/y),
  rule('one-password', 'ops_eyJ', /ops_eyJ[\w=-]{40,}/y),
  rule('tailscale', 'tskey-', /tskey-[a-z]{2,12}-[\w-]{16,}/y),
  rule('okta', 'SSWS', /(?<keep>SSWS\s{1,4})[\w-]{30,}/y),
  // A hash in `/etc/shadow` or `.htpasswd` can be attacked offline.
  rule(
    'password-hash',
    '$1$ $5$ $6$ $7$ $y$ $gy$ $apr1$ $2a$ $2b$ $2y$ $argon2',
    /\$(?:[1567]|g?y|apr1|2[aby]|argon2(?:id?|d))\$[\w./$=,+-]{20,512}/y,
  ),
  rule(
    'pin',
    'PIN',
    /(?<keep>PIN(?: code)?(?: (?:for|of) [^\n.:;]{1,40}?)?(?:[:=]|\s{1,2}(?:is|ist|est|es|to|auf))?\s{1,4}["'`]?)\d{4,8}(?!\w)/y,
  ),
  rule('jwt', 'eyJ', /eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*){0,3}/y),
  inside(
    'url-user',
    '://',
    /(?<keep>:\/\/)[^\s:@/?#"'`<>\\[\]{}$%*][^\s:@/?#"'`<>\\[\]{}]{0,255}(?=:x-oauth-basic@)/y,
  ),
  // A random value changes from digits to letters more than once. `user2024` does not.
  inside(
    'url-user',
    '://',
    /(?<keep>:\/\/)(?=(?:[A-Za-z_-]{0,64}\d{1,64}[A-Za-z]){2})[\w.~-]{16,512}(?=(?::[^\s"'`<>/\\]{0,512})?@[\w.[-])/y,
  ),
  // This rule precedes the general rule, whose user part can be empty. The password can contain `@`, but no slash or
  // white space.
  inside(
    'url-password',
    '://',
    /(?<keep>:\/\/(?:\[redacted:url-user\]|[^\s:@/?#"'`<>\\[\]{}]{0,256}):)(?!\[redacted:|x-oauth-basic@)(?![${<]|%[A-Z_]+%|\*{3})[^\s"'`<>/\\]{1,512}(?=@[\w.[-])/y,
  ),
  // The password can contain a slash. A text that begins with a port is an address without a password.
  {
    ...inside(
      'url-password',
      '://',
      /(?<keep>:\/\/[^\s:@/?#"'`<>\\[\]{}]{1,256}:)(?!\[redacted:|\d{1,5}[/?#])(?![${<]|%[A-Z_]+%|\*{3})[^\s"'`<>\\@:]{1,256}(?=@[\w.[-])/y,
    ),
    isSecret: (value) => value.includes('/') && looksRandom(value),
  },
  ...COMMAND_SECRET_RULES,
  ...SQL_SECRET_RULES,
  rule(
    'bearer-token',
    'Bearer bearer',
    /(?<keep>[Bb]earer\s{1,4})(?=[\w.~+/-]{0,64}\d)(?=[\w.~+/-]{0,64}[A-Za-z])[\w.~+/-]{12,}=*/y,
  ),
];

/** Secrets with a known format but without a fixed beginning. They are only tried on text that matches the hint. */
export const UNANCHORED_RULES: readonly { name: string; hint: RegExp; pattern: RegExp }[] = [
  {
    name: 'discord',
    hint: /[MNO][\w-]{22,28}\./,
    pattern: /(?<![\w.-])[MNO][A-Za-z0-9_-]{22,28}\.[\w-]{6}\.[\w-]{27,45}(?![\w-])/g,
  },
  { name: 'mailchimp', hint: /-us\d/, pattern: /(?<![\w])[0-9a-f]{32}-us\d{1,2}\b/g },
  // `host:port:database:user:password`. With a port that PostgreSQL does not use, the last field must contain digits
  // and letters.
  {
    name: 'pgpass',
    hint: /:(?:\d{2,5}|\*):[^\s:]{1,64}:[^\s:]{1,64}:/,
    pattern:
      /(?<![\w.:*-])(?<keep>(?:\*|(?=[\w.-]{0,252}[g-zG-Z.])[A-Za-z0-9][\w.-]{0,252}):(?:\d{2,5}|\*):[^\s:"'`\\]{1,64}:[^\s:"'`\\]{1,64}:)(?:(?<=:(?:543[23]|6432|\*):[^\s:]{1,64}:[^\s:]{1,64}:)|(?=[^\s:"'`]{0,64}\d[^\s:"'`]{0,64}[A-Za-z]))(?!\[redacted:|[$%<{]|password\b)[^\s:"'`\\;|&<>]{2,256}(?=$|[\s"'`\\;|&<>])/g,
  },
  {
    name: 'cookie',
    hint: /(?:\t|\\t)(?:TRUE|FALSE)(?:\t|\\{1,8}t)/,
    pattern:
      /(?<keep>(?:\t|\\{1,8}t)(?:TRUE|FALSE)(?:\t|\\{1,8}t)\/[^\s\\]{0,256}(?:\t|\\{1,8}t)(?:TRUE|FALSE)(?:\t|\\{1,8}t)\d{1,20}(?:\t|\\{1,8}t)[^\s\\]{1,256}(?:\t|\\{1,8}t))(?!\[redacted:)[^\s"'\\]{4,4096}/g,
  },
  // The private numbers of a JSON Web Key, and the key itself when it is symmetric.
  {
    name: 'private-key',
    hint: /["']kty\\{0,8}["']/,
    pattern: /(?<keep>["'](?:d|p|q|dp|dq|qi|k)\\{0,8}["']\s{0,8}:\s{0,8}\\{0,8}["'])[\w-]{20,4096}/g,
  },
  {
    name: 'command-password',
    hint: /\|\s{0,8}ConvertTo-SecureString/i,
    pattern:
      /(?<keep>["'])(?!\[redacted:|\$)[^"'\n\\]{1,256}(?=\\{0,8}["']\s{0,8}\|\s{0,8}ConvertTo-SecureString)/gi,
  },
  {
    name: 'url-password',
    hint: /@(?:tcp|unix)\(/,
    pattern: /(?<![\w.[-])(?<keep>[\w.-]{1,64}:)(?!\[redacted:|[$%<{])[^\s"'`@\\]{1,128}(?=@(?:tcp|unix)\()/g,
  },
  {
    name: 'url-parameter',
    hint: /[?&#]/,
    pattern:
      /(?<keep>[?&#](?:amp;|\\u0026)?(?:access_token|refresh_token|id_token|auth_token|api_?key|key|token|auth|sig|signature|secret|client_secret|password|passwd|pwd|X-Amz-(?:Signature|Credential|Security-Token)|X-Goog-(?:Signature|Credential)|code_verifier|hmac|sas)=)(?!\[redacted:)(?![$%<{]\w|[a-z]{1,16}(?:[&\s"'`;,)\]}]|$))[^\s&"'`<>#\\;,)\]}]{4,}/gi,
  },
];
