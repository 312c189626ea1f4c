package dev.peregrine.http.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.http.Handlers;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The lists of directories. */
final class StaticFilesListingIT extends ServedFiles {
  private static final Pattern LINK = Pattern.compile("<a href=\"([^\"]*)\">([^<]*)</a>");

  private RawClient serveLists() {
    return serve(options -> options.listing(true));
  }

  private static List<String> links(RawResponse page) {
    assertThat(page.status()).isEqualTo(200);
    return LINK.matcher(page.text()).results().map(link -> unescaped(link, 1)).toList();
  }

  private static List<String> names(RawResponse page) {
    return LINK.matcher(page.text()).results().map(link -> unescaped(link, 2)).toList();
  }

  private static String unescaped(MatchResult link, int group) {
    return link.group(group)
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&");
  }

  @Test
  void listsNothingByDefault() {
    RawClient client = serve();

    assertThat(get(client, "/sub/deep/").status()).isEqualTo(404);
  }

  @Test
  void listsDirectoriesBeforeFiles() throws IOException {
    Files.createDirectories(root.resolve("sub/deep/z"));
    Files.createDirectories(root.resolve("sub/deep/b"));
    file("sub/deep/y.txt", "yyy");
    file("sub/deep/a.txt", "a");
    RawClient client = serveLists();

    RawResponse page = get(client, "/sub/deep/");

    assertThat(links(page)).containsExactly("./b/", "./z/", "./a.txt", "./y.txt");
    assertThat(page.text())
        .contains(
            "<a class=\"up\" href=\"../../\">/</a> <a class=\"up\" href=\"../\">sub</a> / deep /");
    assertThat(page.text()).contains("<title>/sub/deep/</title>");
    assertThat(page.text())
        .contains(
            "<data value=\"3\">3 B</data></td><td><time datetime=\""
                + LONG_AGO
                + "\">"
                + LONG_AGO.toString().substring(0, 10)
                + " ");
    assertThat(page.text()).contains("<p>2 directories, 2 files, 4 B</p>");
    assertThat(page.header("Content-Type")).isEqualTo("text/html; charset=utf-8");
    assertThat(page.header("Content-Security-Policy"))
        .startsWith("default-src 'none'; style-src 'sha256-" + digestOfStyle(page) + "';");
    assertThat(page.header("Cache-Control")).isEqualTo("no-cache");
  }

  private static String digestOfStyle(RawResponse page) {
    String text = page.text();
    String style = text.substring(text.indexOf("<style>") + 7, text.indexOf("</style>"));
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      return Base64.getEncoder().encodeToString(sha256.digest(style.getBytes(UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError(impossible);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'', ./d/ ./e/ ./a ./b ./c",
    "?sort=name, ./d/ ./e/ ./a ./b ./c",
    "?sort=name&order=desc, ./e/ ./d/ ./c ./b ./a",
    "?sort=size, ./d/ ./e/ ./b ./c ./a",
    "?sort=size&order=desc, ./d/ ./e/ ./a ./b ./c",
    "?order=desc&sort=time, ./e/ ./d/ ./b ./c ./a",
    "?sort=<script>, ./d/ ./e/ ./a ./b ./c",
  })
  void sortsByTheQuery(String query, String expected) throws IOException {
    Path deep = root.resolve("sub/deep");
    touch(Files.createDirectory(deep.resolve("e")), 9);
    touch(Files.createDirectory(deep.resolve("d")), 8);
    touch(Files.writeString(deep.resolve("a"), "aaa"), 1);
    touch(Files.writeString(deep.resolve("b"), "b"), 3);
    touch(Files.writeString(deep.resolve("c"), "b"), 2);
    RawClient client = serveLists();

    RawResponse page = get(client, "/sub/deep/" + query.replace("<", "%3C").replace(">", "%3E"));

    assertThat(links(page)).containsExactly(expected.split(" ", -1));
    assertThat(page.text()).doesNotContain("script");
  }

  private static void touch(Path file, long second) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(second, TimeUnit.SECONDS));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 B",
    "1023, 1023 B",
    "1024, 1.0 KiB",
    "10188, 9.9 KiB",
    "10240, 10 KiB",
    "1048063, 1023 KiB",
    "1048064, 1.0 MiB",
    "9223372036854775807, 8.0 EiB",
  })
  void showsSizesWithAUnit(long bytes, String text) {
    assertThat(ListingPage.size(bytes)).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<script>alert(1)<",
        "a b",
        "ü€😀",
        "\"quoted' & more",
        "100%",
        "%2e",
        "a?b#c",
        "a;b=c",
        "+",
        "&lt;"
      })
  void linksToFilesOfAnyName(String name) throws IOException {
    Files.writeString(root.resolve("sub/deep").resolve(name), "found");
    RawClient client = serveLists();

    RawResponse page = get(client, "/sub/deep/");

    assertThat(names(page)).containsExactly(name);
    String link = links(page).getLast();
    assertThat(link).startsWith("./");
    assertThat(get(client, "/sub/deep/" + link.substring(2)).text()).isEqualTo("found");
  }

  @Test
  void listsWhatIsServedOnly() throws IOException {
    assumeTrue(FileSystems.getDefault().getSeparator().equals("/"), "names of Unix");
    Path deep = root.resolve("sub/deep");
    for (String name :
        List.of(".hidden", "a\\b", "a:b", "dot.", "nul", "tab\tname", "line\nname")) {
      Files.writeString(deep.resolve(name), "not served");
    }
    Files.createSymbolicLink(deep.resolve("outside"), dir.resolve("outside.txt"));
    Files.createSymbolicLink(deep.resolve("loop"), deep.resolve("loop"));
    Files.createSymbolicLink(deep.resolve("inside"), root.resolve("hello.txt"));
    RawClient client = serveLists();

    assertThat(names(get(client, "/sub/deep/"))).containsExactly("inside");
  }

  @Test
  void listsHiddenFilesIfTheyAreServed() throws IOException {
    file("sub/deep/.hidden", "served");
    RawClient client = serve(options -> options.listing(true).hidden(true));

    assertThat(names(get(client, "/sub/deep/"))).containsExactly(".hidden");
  }

  @Test
  void listsTheRootWithoutALinkAboveIt() {
    RawClient client = serve(options -> options.listing(true).index(""));

    assertThat(names(get(client, "/")))
        .containsExactly("sub/", "data", "empty.txt", "hello.txt", "index.html", "large.bin");
  }

  @Test
  void prefersTheIndex() {
    RawClient client = serveLists();

    assertThat(get(client, "/").text()).isEqualTo("<h1>Root</h1>");
    assertThat(get(client, "/sub/").text()).isEqualTo("<h1>Sub</h1>");
  }

  @Test
  void redirectsToTheSlashFirst() {
    RawClient client = serveLists();

    expectRedirect(get(client, "/sub/deep"), "/sub/deep/");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/none/", "/hello.txt/", "/sub/none/deep/", "/.hidden/"})
  void findsNoDirectoryThatIsNotThere(String target) {
    RawClient client = serveLists();

    assertThat(get(client, target).status()).isEqualTo(404);
  }

  @Test
  void findsNoDirectoryElsewhere() throws IOException {
    Path elsewhere = Files.createDirectories(dir.resolve("elsewhere"));
    Files.writeString(elsewhere.resolve("secret"), "secret");
    Files.createSymbolicLink(root.resolve("sub/out"), elsewhere);

    assertThat(get(serveLists(), "/sub/out/").status()).isEqualTo(404);
    RawClient allowed = serve(options -> options.listing(true).linksLeaveRoot(true));
    assertThat(names(get(allowed, "/sub/out/"))).containsExactly("secret");
  }

  @ParameterizedTest
  @CsvSource({"-1, false", "0, false", "1, true"})
  void limitsTheEntriesOfAPage(int more, boolean isCut) throws IOException {
    int count = DirectoryListing.ENTRIES_MAX + more;
    for (int i = 0; i < count; i++) {
      Files.createFile(root.resolve("sub/deep/" + i));
    }
    RawClient client = serveLists();

    RawResponse page = get(client, "/sub/deep/");

    assertThat(names(page)).hasSize(Math.min(count, DirectoryListing.ENTRIES_MAX));
    assertThat(page.text().contains("There are more")).isEqualTo(isCut);
  }

  @Test
  void answersHeadAsGet() {
    RawClient client = serveLists();

    RawResponse head = ask(client, "HEAD", "/sub/deep/");

    assertThat(head.status()).isEqualTo(200);
    assertThat(head.header("Content-Length"))
        .isEqualTo(get(client, "/sub/deep/").header("Content-Length"));
  }

  @Test
  void showsChangesAtOnce() throws IOException {
    RawClient client = serveLists();
    assertThat(names(get(client, "/sub/deep/"))).isEmpty();

    file("sub/deep/new", "");

    assertThat(names(get(client, "/sub/deep/"))).containsExactly("new");
  }

  @Test
  void listsOnAThreadThatMayBlock() {
    RawClient client =
        servers.connect(servers.start(Handlers.blocking(files(root).listing(true).build())));

    assertThat(names(get(client, "/sub/deep/"))).isEmpty();
  }
}
