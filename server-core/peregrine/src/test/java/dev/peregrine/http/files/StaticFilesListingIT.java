package dev.peregrine.http.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.http.Handlers;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

    assertThat(links(page)).containsExactly("../", "./b/", "./z/", "./a.txt", "./y.txt");
    assertThat(page.text()).contains("<title>/sub/deep/</title>");
    assertThat(page.text()).contains("<td>3</td><td>" + LONG_AGO + "</td>");
    assertThat(page.header("Content-Type")).isEqualTo("text/html; charset=utf-8");
    assertThat(page.header("Content-Security-Policy")).isEqualTo("default-src 'none'");
    assertThat(page.header("Cache-Control")).isEqualTo("no-cache");
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

    assertThat(names(page)).containsExactly("../", name);
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

    assertThat(names(get(client, "/sub/deep/"))).containsExactly("../", "inside");
  }

  @Test
  void listsHiddenFilesIfTheyAreServed() throws IOException {
    file("sub/deep/.hidden", "served");
    RawClient client = serve(options -> options.listing(true).hidden(true));

    assertThat(names(get(client, "/sub/deep/"))).containsExactly("../", ".hidden");
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
    assertThat(names(get(allowed, "/sub/out/"))).containsExactly("../", "secret");
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

    assertThat(names(page)).hasSize(1 + Math.min(count, DirectoryListing.ENTRIES_MAX));
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
    assertThat(names(get(client, "/sub/deep/"))).containsExactly("../");

    file("sub/deep/new", "");

    assertThat(names(get(client, "/sub/deep/"))).containsExactly("../", "new");
  }

  @Test
  void listsOnAThreadThatMayBlock() {
    RawClient client =
        servers.connect(servers.start(Handlers.blocking(files(root).listing(true).build())));

    assertThat(names(get(client, "/sub/deep/"))).containsExactly("../");
  }
}
