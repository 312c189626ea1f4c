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
import java.util.List;
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
  private static final List<Measured> LISTS =
      List.of(
          new Measured("ARRAY_DEQUE", "fill", 1234, 1200, 1300, 24),
          new Measured("INTRUSIVE", "fill", 2.344, 2.3, 2.4, 0.01));

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
  void hasARowInTheTableAndAPageAndAPlot(Group group) throws IOException {
    Path documents = Path.of("../docs");
    assertThat(Files.readString(documents.resolve("TECHNIQUES.md")))
        .containsOnlyOnce("<!--" + group.key() + "-->")
        .containsOnlyOnce("(techniques/" + group.key() + ".md)");
    assertThat(documents.resolve("techniques/" + group.key() + ".md")).isNotEmptyFile();
    assertThat(documents.resolve("techniques/" + group.key() + ".svg")).isNotEmptyFile();
  }

  @Test
  void replacesTheFiguresOfOneGroup() {
    String table =
        "<!--lists ratio-->?<!--/--> | <!--lists-->old<!--/--> | <!--date-->1<!--/--> |\n";
    assertThat(Figures.replaced(table, Group.LISTS, LISTS))
        .isEqualTo(
            "<!--lists ratio-->526<!--/--> | <!--lists--><a id=\"lists\"></a>"
                + "fill: 1.23 µs → 2.34 ns, **526 ×**, 24 → 0 B<!--/--> | <!--date-->1<!--/--> |\n");
  }

  @Test
  void showsNoDifferenceWhereForksOverlap() {
    List<Measured> alike =
        List.of(
            new Measured("ARRAY_DEQUE", "", 3, 2, 4, 0), new Measured("INTRUSIVE", "", 1, 1, 2, 0));
    assertThat(
            Figures.replaced("<!--lists ratio--><!--/--><!--lists--><!--/-->", Group.LISTS, alike))
        .contains("<!--lists ratio-->none<!--/-->", "3.00 ns → 1.00 ns, no difference shown");
  }

  @Test
  void missesAPlaceForFigures() {
    assertThatThrownBy(() -> Figures.replaced("| |", Group.LISTS, LISTS))
        .hasMessageContaining("lists");
  }

  @Test
  void writesAPage() {
    assertThat(Page.of(Group.LISTS, LISTS, List.of("a machine", "a commit")))
        .contains("-Dbench=lists", "- a machine\n- a commit\n", "(lists.svg)")
        .contains("(../TECHNIQUES.md#lists)", "/technique/ListBenchmark.java)")
        .contains("| fill | array deque | 1.23 µs | 526 | 1.20 µs to 1.30 µs | 24 B |")
        .contains("| fill | **intrusive** | 2.34 ns | 1.00 | 2.30 ns to 2.40 ns | 0 B |");
  }

  @Test
  void comparesFormsOfSeveralTasksApart() {
    List<Measured> forms =
        List.of(
            new Measured("readTree", "", 8, 7, 9, 0),
            new Measured("readUntilFound", "", 4, 3, 5, 0),
            new Measured("writeDirect", "", 1, 1, 1, 0),
            new Measured("writeString", "", 3, 2, 4, 0));
    assertThat(Page.of(Group.JSON, forms, List.of()))
        .contains("| read tree | 8.00 ns | 2.00 |", "| write string | 3.00 ns | 3.00 |");
  }

  @Test
  void drawsABarForEachFigure() throws Exception {
    List<Measured> near = List.of(LISTS.getLast(), new Measured("ARRAY_LIST", "fill", 3, 3, 3, 0));
    Document plot = plot(near);
    assertThat(plot.getElementsByTagName("rect").getLength()).isEqualTo(near.size());
    assertThat(plot.getDocumentElement().getTextContent())
        .contains("array list", "3.00 ns (1.28 ×)", "intrusive", "2.34 ns");
  }

  @Test
  void cutsABarThatIsFarLongerThanOurs() throws Exception {
    assertThat(plot(LISTS).getElementsByTagName("rect").getLength()).isEqualTo(LISTS.size() + 1);
  }

  private static Document plot(List<Measured> all) throws Exception {
    var reader = DocumentBuilderFactory.newInstance().newDocumentBuilder();
    return reader.parse(new InputSource(new StringReader(Plot.of(Group.LISTS, all))));
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
