package dev.peregrine.cli.rules;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.peregrine.cli.options.Invocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The sentences about rules that are wrong, with the line of the file that they are from. */
final class SiteRulesTest {
  @TempDir Path folder;

  private SiteRules read(String lines) throws IOException {
    Path file = Files.writeString(folder.resolve("c"), lines.replace("$", folder + "/"));
    Invocation invocation = Invocation.of(Map.of(), "serve", ".", "--config", file.toString());
    return SiteRules.of(invocation.settings(), Set.of("a.example", "B.example"), true);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "header = /* | must be PATTERN=NAME: VALUE, PATTERN=+NAME: VALUE or PATTERN=-NAME",
        "header = /*=X | must be PATTERN=NAME: VALUE, PATTERN=+NAME: VALUE or PATTERN=-NAME",
        "header = /*=-X: y | must be PATTERN=NAME: VALUE, PATTERN=+NAME: VALUE or PATTERN=-NAME",
        "header = /*=X Y: z | the name of a field is letters, digits and hyphens",
        "header = /*=X: a\\u000d\\u000aSet-Cookie: b | ASCII, without control characters",
        "header = /*=X: \\u00e9 | ASCII, without control characters",
        "header = /*=Content-Length: 1 | content-length is set by the server",
        "header = /*=-transfer-encoding | transfer-encoding is set by the server",
        "header = /*=ETag: x | etag follows the file; it can only be removed",
        "header = /*=Vary: x | vary can only be added to, or caches would mix responses up",
        "header = /*=+Cache-Control: x | cache-control is set by --cache",
        "header = /*=Server: x | server is left out by --no-server-header",
        "cache = /a*b*=x | must begin with /path, /prefix/*, *.suffix, or one of these",
        "cache = c.example/*=x | but no --site serves the host c.example",
        "cache = /../x=y | without //, dots and control characters",
        "cache = /x=a\\u0000b | a field value has no control characters",
        "redirect = /a=b | a target is /path, http://HOST/path or https://HOST/path",
        "redirect = /a=//evil.example/ | a target is /path, http://HOST/path or https://HOST/path",
        "redirect = /a=/\\\\evil.example | a target is ASCII without spaces, backslash and #",
        "redirect = /a*=https://example.org* | a target is /path, http://HOST/path or",
        "redirect = /a*=https://*/ | one * at most, in its path",
        "redirect = /a*=/b?*=1 | one * at most, in its path",
        "redirect = /a=/b/* | one * at most, in its path, for that of the pattern",
        "redirect = /a=https://u@example.org/ | a target is a valid URL",
        "redirect = /a=javascript:alert(1)/ | a target is /path, http://HOST/path or",
        "redirect = /a=304 /b | the status before a target is 301, 302, 303, 307 or 308",
        "redirect = /a=/a/../b | without //, dots and encoded slashes",
        "rewrite = /a=https://example.org/ | a path of the same site without a query",
        "rewrite = /a=/b?c | a path of the same site without a query",
        "auth = /*=$none | none, which doesn't exist",
        "auth = /*=$c | whose line 2 is not NAME:HASH with a hash of peregrine hash-password",
        "auth = /* | must be PATTERN=FILE",
      })
  void namesTheLineThatIsWrong(String line, String sentence) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> read("\n" + line.replace("\\\\", "\\\\\\\\") + "\n"))
        .withMessageStartingWith(folder.resolve("c") + ", line 2: ")
        .withMessageContaining(sentence)
        .withMessageNotContaining("\r");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/a/*=/a/b/*",
        "/*=/x/*",
        "/a=/a",
        "/a=/b,/b=/a",
        "/a/=/a",
        "/a/*=/b/*,/b/*=/c/*,/c/*=/a/x/*",
        "*.x=/*.x",
        "/=/a/,/a*=/*", // to //, which is sent as /
        "/=/a,/a*=/*/",
        "a.example/*=https://b.example/*,b.example/*=http://a.example/*",
      })
  void findsRedirectsThatNeverEnd(String rules) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> read("redirect = " + rules.replace(",", "\nredirect = ")))
        .withMessageMatching("(?s).*, line \\d: redirect is .*, which would redirect .*");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/old/*=/new/*,*.htm=/*.html",
        "/a=/b,/b=/c",
        "/a=/a/",
        "/*=https://www.example.org/*",
        "a.example/*=https://b.example/*",
        "/a/*=/b/*,/b/x=/c",
        "/a/*.txt=/a/*.md",
        "/old/*=/*",
        "/r*=/*",
        "/go/*=/*,/out*.x=https://o.example/*",
      })
  void allowsRedirectsThatEnd(String rules) throws IOException {
    assertThat(read("redirect = " + rules.replace(",", "\nredirect = ")).redirects()).isNotEmpty();
  }

  @Test
  void redirectsToTheOwnHostOnlyOutOfThePattern() throws IOException {
    RedirectRule rule = read("redirect = /*=https://www.a.example/*").redirects().getFirst();

    assertThat(rule.location("/x", "q", "https", "a.example"))
        .isEqualTo("https://www.a.example/x?q");
    assertThat(rule.location("/x", null, "http", "www.a.example"))
        .isEqualTo("https://www.a.example/x");
    assertThat(rule.location("/x", null, "https", "WWW.a.example:443")).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "/επαφές*, /επαφές.html", // a sigma at the end of a word has a form of its own
    "/επαφές, /επαφές.gz",
    "/ΟΔΟΣ*, /ΟΔΟΣΑ",
    "/οδος*, /ΟΔΟΣΑ",
    "/cafe*, /cafe\u0301.html", // a mark that combines with the letter before it
    "/caf\u00e9*, /CAFE\u0301",
    "/secret/*, /sec\u200dret/x", // which HFS+ and case-insensitive ext4 ignore
    "/stra\u00dfe/*, /STRASSE/x",
    "/file*, /\ufb01le",
  })
  void aPathOfUsersCoversEachSpellingOfIt(String pattern, String path) throws IOException {
    String hash = PasswordHash.create("p", PasswordHash.ROUNDS_MIN).toString();
    Files.writeString(folder.resolve("users"), "ann:" + hash);
    AuthRule rule = read("auth = " + pattern + "=$users").auth().getFirst();

    assertThat(rule.isFor(path)).isTrue();
    assertThat(rule.isFor("/other")).isFalse();
  }

  @Test
  void readsAHashThatItHasWritten() {
    String text = PasswordHash.create("p", PasswordHash.ROUNDS_MIN).toString();
    PasswordHash hash = Objects.requireNonNull(PasswordHash.parse(text));

    assertThat(text).startsWith("$pbkdf2-sha256$i=10000$");
    assertThat(hash).hasToString(text);
    assertThat(hash.matches("p", 0)).isTrue();
    assertThat(hash.matches("P", 0)).isFalse();
    assertThat(PasswordHash.parse(text.replace("10000", "9999"))).isNull();
    assertThat(PasswordHash.parse(text.replace("10000", "999999999"))).isNull();
    assertThat(PasswordHash.parse(text + "A")).isNull();
    assertThat(PasswordHash.parse("plain")).isNull();
  }

  /** The second vector of RFC 7914 section 11, cut to the 32 bytes of our hashes. */
  @Test
  void computesPbkdf2() {
    String salt = "NaCl";
    byte[] derived = PasswordHash.derive("Password", salt.getBytes(UTF_8), 80_000);

    assertThat(HexFormat.of().formatHex(derived))
        .isEqualTo("4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56");
  }
}
