@echo off
rem Runs the pinned Maven on a JDK that can build Peregrine; see mvnw, whose twin for Windows this is.
setlocal EnableExtensions DisableDelayedExpansion
set "JDK_MIN=25"
set "BASE=%~dp0"

call :fits "%JAVA_HOME%" && goto have_jdk
set "JAVA_HOME="
for /f "delims=" %%j in ('where java 2^>nul') do if not defined JAVA_HOME call :try "%%~dpj.."
for %%r in (
  "%ProgramFiles%\Eclipse Adoptium" "%ProgramFiles%\Java" "%ProgramFiles%\Microsoft" "%ProgramFiles%\Zulu"
  "%ProgramFiles%\Amazon Corretto" "%ProgramFiles%\BellSoft" "%LOCALAPPDATA%\Programs\Eclipse Adoptium"
  "%USERPROFILE%\.jdks" "%USERPROFILE%\.gradle\jdks" "%USERPROFILE%\.sdkman\candidates\java"
  "%USERPROFILE%\scoop\apps"
) do if not defined JAVA_HOME for /d %%d in ("%%~r\*") do if not defined JAVA_HOME (
  call :try "%%d"
  if not defined JAVA_HOME call :try "%%d\current"
)
if not defined JAVA_HOME (
  >&2 echo mvnw: no JDK %JDK_MIN% or later found: install one ^(e.g. Eclipse Temurin %JDK_MIN%^), or set JAVA_HOME to it.
  exit /b 1
)
:have_jdk

for /f "usebackq tokens=1,* delims==" %%a in ("%BASE%.mvn\wrapper\maven-wrapper.properties") do (
  if "%%a"=="distributionUrl" set "URL=%%b"
  if "%%a"=="distributionSha256Sum" set "SUM=%%b"
)
for %%u in ("%URL:/=" "%") do set "RELEASE=%%~u"
set "RELEASE=%RELEASE:-bin.zip=%"
if not defined MAVEN_USER_HOME set "MAVEN_USER_HOME=%USERPROFILE%\.m2"
set "DIST=%MAVEN_USER_HOME%\wrapper\dists\%RELEASE%-bin\%SUM%"
set "MAVEN=%DIST%\%RELEASE%\bin\mvn.cmd"
if exist "%MAVEN%" goto run

set "SCRATCH=%DIST%\.new.%RANDOM%%RANDOM%"
mkdir "%SCRATCH%" 2>nul
powershell -NoProfile -ExecutionPolicy Bypass -Command ^
  "$ErrorActionPreference='Stop'; $ProgressPreference='SilentlyContinue'; $zip=Join-Path $env:SCRATCH 'maven.zip';" ^
  "try { [Net.ServicePointManager]::SecurityProtocol='Tls12'; (New-Object Net.WebClient).DownloadFile($env:URL,$zip) } catch { exit 2 };" ^
  "$sum=(Get-FileHash $zip -Algorithm SHA256).Hash.ToLower();" ^
  "if ($sum -ne $env:SUM) { [Console]::Error.WriteLine(\"mvnw: $env:URL has SHA-256 $sum, but $env:SUM is expected: nothing was installed.\"); exit 3 }"
set "RESULT=%ERRORLEVEL%"
if "%RESULT%"=="0" (
  pushd "%SCRATCH%" && "%JAVA_HOME%\bin\jar" xf maven.zip & popd
  move "%SCRATCH%\%RELEASE%" "%DIST%\" >nul 2>nul
)
rmdir /s /q "%SCRATCH%" 2>nul
if "%RESULT%"=="3" exit /b 1
if exist "%MAVEN%" goto run

set "MAVEN="
for /f "delims=" %%m in ('where mvn.cmd 2^>nul') do if not defined MAVEN set "MAVEN=%%m"
if not defined MAVEN (
  >&2 echo mvnw: %URL% can't be downloaded, and there is no mvn on the PATH: install Maven 3.8 or later.
  exit /b 1
)
>&2 echo mvnw: %URL% can't be downloaded; using %MAVEN%

:run
rem The artifacts name their commit; a source archive has none.
set "COMMIT=unknown"
for /f %%c in ('git -C "%~dp0." describe --always --dirty --exclude * --abbrev^=12 2^>nul') do set "COMMIT=%%c"
call "%MAVEN%" -Dbuild.commit=%COMMIT% %*
exit /b %ERRORLEVEL%

rem Sets JAVA_HOME to %1 if that is a JDK that fits.
:try
call :fits %1 && set "JAVA_HOME=%~f1"
exit /b 0

rem Succeeds if folder %1 is a JDK of at least JDK_MIN.
:fits
if not exist "%~1\bin\javac.exe" exit /b 1
if not exist "%~1\release" exit /b 1
set "VERSION=0"
for /f "usebackq tokens=2 delims==" %%v in (`findstr /b "JAVA_VERSION=" "%~1\release"`) do set "VERSION=%%~v"
for /f "delims=.-_+ tokens=1" %%v in ("%VERSION%") do set "VERSION=%%v"
if %VERSION% GEQ %JDK_MIN% exit /b 0
exit /b 1
