package dev.peregrine.bench.technique.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.bench.technique.Technique;
import java.io.IOException;
import java.io.StringReader;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class ReportTest {
  private static final Group GROUP = Group.LOCATE;
  private static final String KEY = GROUP.key();
  private static final String PLAIN = GROUP.pairs().getFirst().plain();
  private static final String OURS = GROUP.pairs().getFirst().ours();
  private static final List<Measured> ALL =
      List.of(
          new Measured(PLAIN, "fill", 1234, 1200, 1300, 24),
          new Measured(OURS, "fill", 2.344, 2.3, 2.4, 0.01));

  @Test
  void everyBenchmarkOfATechniqueIsInAGroup() throws IOException, URISyntaxException {
    Path classes =
        Path.of(Technique.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Path techniques = classes.resolve(Technique.class.getPackageName().replace('.', '/'));
    try (Stream<Path> files = Files.list(techniques)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .filteredOn(name -> name.endsWith("Benchmark.class"))
          .containsExactlyInAnyOrderElementsOf(
              Arrays.stream(Group.values())
                  .map(group -> group.benchmark().getSimpleName() + ".class")
                  .toList());
    }
  }

  @ParameterizedTest
  @EnumSource
  void comparesOnlyFormsThatExist(Group group) {
    List<String> forms = forms(group.benchmark());
    for (Group.Pair pair : group.pairs()) {
      assertThat(forms).contains(pair.plain(), pair.ours());
    }
  }

  @ParameterizedTest
  @EnumSource
  void hasARowAndALineAtAGlanceAndAPageAndAPlot(Group group) throws IOException {
    Path documents = Path.of("../docs");
    assertThat(Files.readString(documents.resolve("TECHNIQUES.md")))
        .containsOnlyOnce("<!--" + group.key() + "-->")
        .containsOnlyOnce("(techniques/" + group.key() + ".md)")
        .containsOnlyOnce("(#" + group.key() + ") ")
        .containsOnlyOnce("<!--" + group.key() + " ratio-->");
    assertThat(documents.resolve("techniques/" + group.key() + ".md")).isNotEmptyFile();
    assertThat(documents.resolve("techniques/" + group.key() + ".svg")).isNotEmptyFile();
  }

  @ParameterizedTest
  @EnumSource
  void checksResultsInTheSetUp(Group group) throws IOException {
    String file = group.benchmark().getName().replace('.', '/') + ".java";
    String source = Files.readString(Path.of("src/main/java").resolve(file));
    assertThat(source).containsPattern("(?s)@Setup(?:(?!\\n  }).)*\\bcheck\\w*\\(");
  }

  @Test
  void namesClassesThatExistAtAGlance() throws IOException {
    Set<String> classes = new HashSet<>();
    for (String module : List.of("server-parser", "server-core")) {
      try (Stream<Path> files = Files.walk(Path.of("..", module))) {
        files
            .filter(file -> file.toString().endsWith(".java"))
            .forEach(file -> classes.add(file.getFileName().toString().replace(".java", "")));
      }
    }
    Pattern name = Pattern.compile("`([A-Z]\\w+)[.`]");
    List<String> lines = Files.readAllLines(Path.of("../docs/TECHNIQUES.md"));
    assertThat(lines.stream().filter(line -> line.contains(" ratio-->")))
        .isNotEmpty()
        .allSatisfy(
            line ->
                assertThat(name.matcher(line).results().map(result -> result.group(1)))
                    .isNotEmpty()
                    .isSubsetOf(classes));
  }

  @Test
  void replacesTheFiguresOfOneGroup() {
    String other = " | <!--views-->1<!--/--> |\n";
    String ratios = "<!--" + KEY + " ratio-->";
    String figures = "<!--" + KEY + "-->";
    assertThat(Figures.replaced(ratios + "?<!--/-->" + figures + "?<!--/-->" + other, GROUP, ALL))
        .isEqualTo(
            ratios
                + "526<!--/-->"
                + figures
                + ("<a id=\"" + KEY + "\"></a>")
                + "fill: 1.23 µs → 2.34 ns, **526 ×**, 24 → 0 B<!--/-->"
                + other);
  }

  @Test
  void showsNoDifferenceWhereForksOverlap() {
    assertThat(compared(3, 2, 4, 1, 1, 2))
        .contains(" ratio-->none<!--/-->", "3.00 ns → 1.00 ns, no difference shown");
  }

  @Test
  void showsNoDifferenceBelowFivePercent() {
    assertThat(compared(104, 103.9, 104.1, 100, 99.9, 100.1)).contains("no difference shown");
    assertThat(compared(100, 99.9, 100.1, 104, 103.9, 104.1)).contains("no difference shown");
    assertThat(compared(100, 99.9, 100.1, 106, 105.9, 106.1)).contains("**0.94 ×**");
  }

  private static String compared(
      double plain, double plainLeast, double plainMost, double ours, double least, double most) {
    String table = "<!--%s ratio--><!--/--><!--%s--><!--/-->".formatted(KEY, KEY);
    List<Measured> forms =
        List.of(
            new Measured(PLAIN, "", plain, plainLeast, plainMost, 0),
            new Measured(OURS, "", ours, least, most, 0));
    return Figures.replaced(table, GROUP, forms);
  }

  @Test
  void wantsMoreForksWhereFormsAreWithinAQuarter() {
    assertThat(GROUP.hasCloseForms(forms(125, 100))).isTrue();
    assertThat(GROUP.hasCloseForms(forms(80, 100))).isTrue();
    assertThat(GROUP.hasCloseForms(forms(126, 100))).isFalse();
    assertThat(GROUP.hasCloseForms(forms(79, 100))).isFalse();
  }

  private static List<Measured> forms(double plain, double ours) {
    return List.of(
        new Measured(PLAIN, "", plain, plain, plain, 0),
        new Measured(OURS, "", ours, ours, ours, 0));
  }

  @Test
  void namesOursWhereSeveralPairsHaveTheSamePlainForm() {
    assertThat(Group.HANDLER.pairs().stream().map(Group.HANDLER::words))
        .containsExactly("virtual → inline", "virtual → blocking");
    assertThat(Group.DATE.pairs().stream().map(Group.DATE::words))
        .containsExactly("formatted", "compared clock", "renewed by timer");
  }

  @Test
  void missesAPlaceForFigures() {
    assertThatThrownBy(() -> Figures.replaced("| |", GROUP, ALL)).hasMessageContaining(KEY);
  }

  @Test
  void writesAPage() {
    assertThat(Page.of(GROUP, ALL, List.of("a machine", "a commit")))
        .contains("-Dbench=" + KEY, "Measured on: a machine; a commit.\n", "(" + KEY + ".svg)")
        .contains("(../TECHNIQUES.md#" + KEY + ")")
        .contains("/technique/" + GROUP.benchmark().getSimpleName() + ".java)")
        .contains(
            "| fill | " + Measured.words(PLAIN) + " | 1.23 µs | 526 | 1.20 µs to 1.30 µs | 24 B |")
        .contains(
            "| fill | **"
                + Measured.words(OURS)
                + "** | 2.34 ns | 1.00 | 2.30 ns to 2.40 ns | 0 B |");
  }

  @ParameterizedTest
  @EnumSource
  void comparesEachFormWithOneOfOurs(Group group) {
    List<Measured> all =
        Stream.concat(
                forms(group.benchmark()).stream(),
                group.pairs().stream().flatMap(pair -> Stream.of(pair.plain(), pair.ours())))
            .distinct()
            .map(form -> new Measured(form, "", 1, 1, 1, 0))
            .toList();
    assertThat(group.ours().stream().flatMap(ours -> group.comparedWith(ours, all).stream()))
        .containsAll(all);
    for (Group.Pair pair : group.pairs()) {
      assertThat(group.comparedWith(pair.ours(), all))
          .extracting(Measured::form)
          .contains(pair.plain(), pair.ours());
    }
  }

  @Test
  void drawsABarForEachFigure() throws Exception {
    List<Measured> near = List.of(ALL.getLast(), new Measured(PLAIN, "fill", 3, 3, 3, 0));
    Document plot = plot(near);
    assertThat(plot.getElementsByTagName("rect").getLength()).isEqualTo(near.size());
    assertThat(plot.getDocumentElement().getTextContent())
        .contains(Measured.words(PLAIN), "3.00 ns (1.28 ×)", Measured.words(OURS), "2.34 ns");
  }

  @Test
  void cutsABarThatIsFarLongerThanOurs() throws Exception {
    assertThat(plot(ALL).getElementsByTagName("rect").getLength()).isEqualTo(ALL.size() + 1);
  }

  private static Document plot(List<Measured> all) throws Exception {
    var reader = DocumentBuilderFactory.newInstance().newDocumentBuilder();
    return reader.parse(new InputSource(new StringReader(Plot.of(GROUP, all))));
  }

  private static List<String> forms(Class<?> benchmark) {
    Stream<String> methods =
        Arrays.stream(benchmark.getDeclaredMethods())
            .filter(method -> method.isAnnotationPresent(Benchmark.class))
            .map(method -> method.getName());
    Stream<String> parameters =
        Arrays.stream(benchmark.getDeclaredFields())
            .filter(field -> field.isAnnotationPresent(Param.class))
            .flatMap(
                field ->
                    field.getType().isEnum()
                        ? Arrays.stream(field.getType().getEnumConstants()).map(Object::toString)
                        : Arrays.stream(field.getAnnotation(Param.class).value()));
    return Stream.concat(methods, parameters).toList();
  }
}
