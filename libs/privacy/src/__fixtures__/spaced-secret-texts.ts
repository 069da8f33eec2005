import { at, hex, join, random, word, type SecretText } from './synthetic-secrets.js';

const generated = join('Zq1000', 'Wv7tKpL3n', 'XbR9mYc');
const awsSecret = join('wJbCrXUtnFEMI', '/K7MDENG/', 'bPxRfiCYEEEEPLEKEY');
const base64 = `${random(17)}/${random(21)}+`;

const SQL: readonly SecretText[] = [
  at('PostgreSQL user', `CREATE USER app WITH PASSWORD 'hunter';`, 'hunter', 'CREATE USER app WITH PASSWORD'),
  at(
    'PostgreSQL role',
    `alter role app\n  with login encrypted password 'hunter'`,
    'hunter',
    'alter role app',
  ),
  at('PostgreSQL in psql', `psql -c "CREATE ROLE app LOGIN PASSWORD '${word}'" shop`, word, 'shop'),
  at('SQL in a string of JSON', JSON.stringify(`psql -c "ALTER USER app PASSWORD 'hunter'"`), 'hunter'),
  at('user mapping', `CREATE USER MAPPING FOR a SERVER s OPTIONS (user 'b', password 'hunter')`, 'hunter'),
  at('MySQL user', `CREATE USER 'app'@'%' IDENTIFIED BY 'hunter';`, 'hunter', "'app'@'%'"),
  at('MySQL plugin', `ALTER USER a IDENTIFIED WITH mysql_native_password BY "hunter"`, 'hunter'),
  at('MariaDB plugin', `ALTER USER a IDENTIFIED VIA ed25519 USING PASSWORD('hunter')`, 'hunter'),
  at('MySQL grant', `GRANT ALL ON shop.* TO 'app'@'%' IDENTIFIED BY 'hunter'`, 'hunter', 'GRANT ALL'),
  at('MySQL replaced password', `ALTER USER USER() IDENTIFIED BY 'hunter' REPLACE 'rabbit'`, [
    'hunter',
    'rabbit',
  ]),
  at('MySQL set password', `SET PASSWORD FOR 'app'@'%' = PASSWORD('hunter');`, 'hunter', 'SET PASSWORD FOR'),
  at('MySQL set password, plain', `SET PASSWORD FOR app = 'hunter';`, 'hunter'),
  at('Oracle user', 'CREATE USER app IDENTIFIED BY hunter;', 'hunter', 'CREATE USER app IDENTIFIED BY '),
  at('SQL Server procedure', `EXEC sp_addlogin 'app', 'hunter'`, 'hunter', 'app'),
];

const LABELS: readonly SecretText[] = [
  at('password and value', `log in as ann with password ${generated} today`, generated, 'today'),
  at('token and value', `use the token ${generated}`, generated, 'use the token '),
  at('API key and value', `my API key ${generated}, thanks`, generated, ', thanks'),
  at('API key in two words', `API key: ${generated}`, generated, 'API key: '),
  at('secret access key', `the secret access key is ${base64}`, base64),
  at('quoted', `user "app" password "${word}"`, word, 'user "app" password '),
  at('columns', `ann      password      ${generated}`, generated),
  at('a tab', `db_password\t${generated}\nhost\tdb`, generated, 'host\tdb'),
  at('a short password behind an article', 'I log in with the password hunter42 now', 'hunter42', ' now'),
  at('a password for something', 'the password for the staging database is hunter42.', 'hunter42'),
  at('a label and what it must be', `The API token must always be ${hex(40)}`, hex(40)),
  at('a key pair', `use it with secret ${awsSecret}`, awsSecret),
  at('a numbered name', `DB_PASSWORD2=${word} host`, word, 'host'),
  at('a numbered label', `password1: ${generated}`, generated),
  at('a value before its label', 'hunter42 is the admin password', 'hunter42', 'admin password'),
  at('a quoted value before its label', 'use "hunter42" as the password', 'hunter42'),
  at('a label with a note', `password (staging): ${generated}`, generated, 'staging'),
  at('a PIN', 'The PIN is 4711, as before', '4711', 'as before'),
  at('a PIN for something', 'The PIN for the front door is 471100', '471100', 'front door'),
  at('French, short', 'avec le mot de passe hunter42', 'hunter42'),
  at('Portuguese, short', 'a senha é hunter42', 'hunter42'),
  at('Russian, short', 'пароль hunter42', 'hunter42'),
  at('Swedish, short', 'lösenord är hunter42', 'hunter42'),
  at('Korean, short', '비밀번호는 hunter42', 'hunter42'),
  at('German', `das Passwort ${generated} gilt`, generated, ' gilt'),
  at('redis.conf', `port 6379\nrequirepass hunter\n`, 'hunter', 'requirepass '),
  at('redis replica', `masterauth ${generated}`, generated),
  at('redis AUTH', `redis> AUTH ${generated}`, generated, 'AUTH '),
  at('SMTP', `AUTH PLAIN ${random(28)}`, random(28), 'AUTH PLAIN '),
  at('netrc without login', `machine api.example.org password hunter`, 'hunter'),
  at('netrc default', `default login ann password hunter`, 'hunter', 'default login ann '),
  at('netrc over lines', `machine api.example.org\n  login ann\n  password hunter\n`, 'hunter', 'login ann'),
  at('Wi-Fi', `nmcli device wifi connect Office password ${generated}`, generated, 'connect Office'),
  at('a name that ends with pass', 'dbpass=hunter22', 'hunter22', 'dbpass='),
  at('a name that ends with pw', 'ROOT_PW=hunter', 'hunter', 'ROOT_PW='),
];

const SETTINGS: readonly SecretText[] = [
  at(
    'aws configure set',
    `aws configure set aws_secret_access_key ${base64}`,
    base64,
    'aws_secret_access_key ',
  ),
  at(
    'aws configure set, profile',
    `aws configure set profile.dev.aws_session_token ${generated} --region x`,
    generated,
    '--region x',
  ),
  at(
    'aws configure set, flags',
    `aws configure set --profile dev aws_secret_access_key ${generated}`,
    generated,
  ),
  at(
    'npm config set',
    `npm config set //registry.example.org/:_authToken ${generated}`,
    generated,
    '_authToken ',
  ),
  at('git config', `git config --global credential.password hunter`, 'hunter', 'credential.password '),
  at('pulumi', `pulumi config set --secret dbPassword hunter`, 'hunter', 'dbPassword '),
  at('dotnet user-secrets', `dotnet user-secrets set "Db:Password" "hunter"`, 'hunter', '"Db:Password" '),
  at('doppler', `doppler secrets set API_TOKEN ${generated}`, generated),
  at('redis CONFIG SET', `redis-cli CONFIG SET requirepass hunter`, 'hunter'),
];

const ARGUMENTS: readonly SecretText[] = [
  at('PowerShell', `ConvertTo-SecureString 'hunter' -AsPlainText -Force`, 'hunter', '-AsPlainText -Force'),
  at('PowerShell, named', `ConvertTo-SecureString -AsPlainText -Force -String "hunter"`, 'hunter'),
  at('PowerShell, flags first', `$p = ConvertTo-SecureString -AsPlainText ${word} -Force`, word),
  at('PowerShell, piped', `'hunter' | ConvertTo-SecureString -AsPlainText -Force`, 'hunter'),
  at('net user', `net user ann hunter /add`, 'hunter', ['net user ann ', '/add']),
  at('net use', `net use Z: \\\\srv\\share hunter /user:ann`, 'hunter', '/user:ann'),
  at('sqlcmd', `sqlcmd -S db -U sa -P hunter -Q "select 1"`, 'hunter', '-Q'),
  at('mongosh', `mongosh -u ann -p hunter shop`, 'hunter', 'shop'),
  at('mongodump', `mongodump --host db -u ann -p '${word}'`, word),
  at('ldapsearch', `ldapsearch -x -D cn=admin -w hunter -b dc=x`, 'hunter', '-b dc=x'),
  at('unzip', `unzip -P hunter a.zip`, 'hunter', 'a.zip'),
  at('7z', `7z x -phunter a.7z`, 'hunter', 'a.7z'),
  at('keytool', `keytool -list -keystore a.jks -storepass hunter`, 'hunter', 'a.jks'),
  at('putty', `plink -ssh ann@host -pw hunter ls`, 'hunter', ' ls'),
  at('keychain', `security unlock-keychain -p hunter build.keychain`, 'hunter', 'build.keychain'),
  at('xfreerdp', `xfreerdp /u:ann /p:hunter /v:host`, 'hunter', '/v:host'),
  at('http', `http -a ann:hunter GET example.org`, 'hunter', ['-a ann:', 'GET']),
  at('smbclient', `smbclient //srv/share -U ann%hunter`, 'hunter', 'ann%'),
  at('skopeo', `skopeo copy --src-creds ann:hunter docker://a dir:b`, 'hunter', 'docker://a'),
  at(
    'SSM parameter',
    `aws ssm put-parameter --name /a --type SecureString --value hunter`,
    'hunter',
    '--name /a',
  ),
  at('Azure key vault', `az keyvault secret set --vault-name v -n x --value "hunter"`, 'hunter', '-n x'),
  at('rabbitmqctl', `rabbitmqctl add_user ann hunter`, 'hunter', 'add_user ann '),
  at('mc alias', `mc alias set prod https://s3.example.org ann hunter99x`, 'hunter99x', 'ann '),
  at('vault login', `vault login ${generated}`, generated, 'vault login '),
  at('ngrok', `ngrok config add-authtoken ${generated}`, generated),
  at('wpa_passphrase', `wpa_passphrase Office 'correct horse'`, 'correct horse', 'Office '),
  at('mosquitto_passwd', `mosquitto_passwd -b users ann hunter`, 'hunter', 'users ann '),
  at('openssl passwd', `openssl passwd -6 hunter`, 'hunter', 'openssl passwd -6 '),
  at('composer', `composer config http-basic.repo.example.org ann hunter`, 'hunter', 'ann '),
  at('poetry', `poetry config pypi-token.internal ${generated}`, generated, 'pypi-token.internal '),
  at('redis ACL', `ACL SETUSER ann on >hunter ~* +@all`, 'hunter', '~* +@all'),
  at('MongoDB shell', `db.auth("ann", "hunter")`, 'hunter', '"ann"'),
  at('basic auth of Python', `requests.get(url, auth=('ann', 'hunter'))`, 'hunter', "'ann'"),
];

const CONNECTIONS: readonly SecretText[] = [
  at('sqlplus', 'sqlplus -s scott/tiger@orcl', 'tiger', ['scott/', '@orcl']),
  at('Oracle address', 'jdbc:oracle:thin:scott/tiger@db:1521:orcl', 'tiger', '@db:1521:orcl'),
  at('Go address', 'app:hunter@tcp(db:3306)/shop', 'hunter', '@tcp(db:3306)/shop'),
  at('encrypted SQLite', `PRAGMA key = 'hunter';`, 'hunter'),
  at('SQL Server login', `CREATE LOGIN app WITH PASSWORD = N'hunter'`, 'hunter'),
  at('expect', 'expect "password:"\nsend "hunter\\r"', 'hunter', 'send "'),
  at('mysqladmin', `mysqladmin -u root password 'hunter'`, 'hunter'),
  at('ssh-keygen', `ssh-keygen -t ed25519 -N 'hunter' -f id`, 'hunter', '-f id'),
  at('a here-string of aws configure', `aws configure <<< "hunter"`, 'hunter'),
];

const PASSWORD_FILES: readonly SecretText[] = [
  at('pgpass', `db.example.org:5432:shop:app:hunter`, 'hunter', 'db.example.org:5432:shop:app:'),
  at('pgpass, wildcards', `*:*:*:postgres:${word}\n`, word, '*:*:*:postgres:'),
  at('pgpass, another port', `localhost:6543:shop:app:${generated}`, generated, 'localhost:6543'),
  at('pgpass, written', `echo db.example.org:5432:shop:app:${generated} > ~/.pgpass`, generated, '~/.pgpass'),
  at(
    'pgpass, in quotes',
    `echo "localhost:5432:*:app:hunter" >> ~/.pgpass && chmod 600 ~/.pgpass`,
    'hunter',
    'chmod 600',
  ),
];

/** Secrets after a label and a space, and secrets that a command takes by position. */
export const SPACED_SECRET_TEXTS: readonly SecretText[] = [
  ...SQL,
  ...LABELS,
  ...SETTINGS,
  ...ARGUMENTS,
  ...CONNECTIONS,
  ...PASSWORD_FILES,
].map((example) => ({ ...example, name: `R05: ${example.name}` }));
